### How far a message came: the ✓ ✗ ○ lines of a report.

## Steps

process = process
adapter = connection
arrival = arrival
author = author
access = access
pause = pause
mode = mode
addressing = addressing
limits = limits
queue = queue
request = request
decision = decision
delivery = delivery
plain-talk = plain talk
rest-of-album = the album's other pictures
seen = whether people see it

## What is said beside a step

privacy-on = group privacy is on
content-off = the message content intent is off
one-arrived = 1 arrived
one-arrived-privacy = 1 arrived, group privacy is on
no-message = no message known
paused-now = paused now
observes-now = observes now
not-enabled = not enabled
late = { $time }, { $age } late
no-probe = { $heard }, no answer to a probe
state = { $state }, { $heard }
not-visible = not visible from here
waiting = { $count } waiting
poll = poll { $age } ago
no-poll = no poll yet
event = event { $age } ago
no-event = no event yet
