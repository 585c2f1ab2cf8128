### What the web page says besides its own templates.

private-chat = a private chat
the-host = the host
request-changed = This is a different request by now. Reload the page.
no-such-context = There is no such context. These have a name: { $names }.
no-such-message = { $typed } is not a message on record.
changes-from-the-page = changes from the page
between-sections = between them
words-gone = its words are gone
line = line { $number }
