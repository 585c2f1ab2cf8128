### What the web page says besides its own templates.

private-chat = a private chat
the-host = the host
request-unreadable = I cannot read this request.
request-too-large = This request is too large.
too-many-at-once = Too many requests at once. Try again.
took-too-long = That took too long. Try again.
request-changed = This is a different request by now. Reload the page.
no-such-context = There is no such context. These have a name: { $names }.
no-such-message = { $typed } is not a message on record.
changes-from-the-page = changes from the page
between-sections = between them
words-gone = its words are gone
line = line { $number }
