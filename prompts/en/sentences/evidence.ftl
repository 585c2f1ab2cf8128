### Names of what a finding rests on.

this-dm = This DM
newest-message = newest message, { $time }
newest-unanswered = newest unanswered message, { $time }
your-newest-unanswered = your newest unanswered message, { $time }
failed-work = the bot's own work that failed, { $time }
replied-to = the message you replied to, { $time }
the-message = { $kind ->
    [result] the result
   *[message] the message
}, { $time }
last-message = last message the bot looked at: { $outcome }
last-message-open = last message the bot looked at: no outcome yet
last-event = last thing that arrived: an event
last-command = last thing that arrived: a command
last-arrival = last thing that arrived: a message
decided-at = { $what }, { $time }
no-answer = { $about ->
    [newest] The newest message
   *[other] The message
}{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
} got no answer.
