### What stands around every page: its frame, its tabs, its keys, and the doors.

## The frame

busy = Looking…
skip = Skip to the page
everything = Everything
overview = Overview
cortex = Cortex
audit = Audit
doctor = Doctor
leave = Leave
same-as-json = The same as JSON
read-only = Read-only
times-in-utc = Times in UTC

## The keys

keys = Keys
key-of-keys = keys
key-lines = next and previous line
key-open = open it
key-search = search on this page
key-overview = overview
key-close = close this

## The pages of a channel

tab-talk = Talk
tab-why = Why
tab-next = Next
tab-last = Last
tab-request = request
tab-changes = Changes
tab-memories = Memories
tab-work = Work
tab-cost = Cost

## What lists have in common

newer = Newer
older = Older
page = Page { $page }
page-of = Page { $page } of { $pages }
tokens = { $tokens } tokens
search = Search
what-can-change = What can be changed…

## The doors

come-in = Come in
open-this = Open this page?
open = Open
link-works-once = The link works once, for the person who asked for it.
telegram-says = Telegram says who you are. That works once, within five minutes.
open-in-telegram = Open this in Telegram
telegram-said-nothing = Telegram has not said who you are. Write `!cortex web` to the bot in private, and press the button below its answer.
one-more-step = One more step
tab-of-its-own = In a browser, this opens in a tab of its own. The link works once, within two minutes.
open-in-tab = Open in a new tab
you-are-in = You are in
overview-opens = The overview opens by itself.
open-now = Open it now
