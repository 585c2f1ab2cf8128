### What the buttons below a report answer.

button-does-nothing = That button no longer does anything.
no-evidence = No evidence to open: nothing was found wrong.
waits-no-more = That message is no longer waiting. Nothing was done.
cannot-answer-now = That message can no longer be answered, or the bot is answering it already.
answering = Answering { $handle } now; I'll report here.
unread = ○ could not look at { $what }
