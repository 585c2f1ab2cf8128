### The overview of the web page: whether the bot runs, and every channel in a row.

runs = *The bot runs.*
does-not-run = *The bot does not run.* Last sign of life { $time }.
ended = *The bot does not run.* Last sign of life { $time }: { $why }.
never-ran = *No bot has ever run here.*
no-channel = No channel yet
no-channel-why = Nothing has arrived from a channel that you may look at. Write to the bot where it lives; it shows up here.

## A channel

channel = Channel
state = State
messages = Messages
last-answer = Last answer
waiting = Waiting
cost-of-a-day = Cost, 24 h
state-is = { $state ->
    [well] answers
    [idle] quiet
   *[other] { $state }
}
not-recorded = not recorded
no-answer = none
memories-alone = you may look through its memories
last-messages = The last { $count } messages, oldest first:
