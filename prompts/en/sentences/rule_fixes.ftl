### What helps where no button does.

platform = Only the platform's own settings can change it.
configuration = Only the configuration can change it.
host = Only the person who runs the bot can change it, on its machine.
stop-the-other = Stop the other program: nothing else helps.
connects-again = It connects again by itself.
platform-in-trouble = It ends by itself: the platform is in trouble.
add-the-bot = Somebody has to add the bot again.
as-themselves = They have to write as themselves: an anonymous admin could be anyone.
a-person = A person has to say it: the bot does not answer bots.
another-form = It has to be sent again in another form.
plugin = Only the plugin's own settings can change it.
cost-cap = It ends with the day (UTC); only the configuration can raise the limit.
stop-the-answer = `stop`, said in the channel, ends the answer that hangs.
goes-on = It continues by itself; `doctor` shows what held it up.
goes-out = It goes out by itself.
approval = Approve it where the bot asked for approval.
file-again = The file has to be sent again, smaller or in another form.
forget-one = Forget one of the two: `memory forget <id>`.
put-it-back = [Put it back] and [Remember it] are below the report.
undo-fresh-chat = `/new undo`, said in the channel, brings the old chat back within 24 h.
ask-again = Ask for it again in the channel: a model that says it did something may not have.
slow-mode = It goes out by itself; turning off slow mode is all you can do.
answered-elsewhere = It was answered; only stopping the other program ends this.
open-the-chat = They have to open the chat with the bot first.
