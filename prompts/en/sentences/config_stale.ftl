### Why a setting seems to do nothing: the configuration was edited, and the bot still runs with the old one.

verdict = { $place }: an edit is not active
key = { $key }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}
new-value = has a new value in { $file };
overruled = the environment sets another one.
runs-with-old = the bot still uses the one before.
compared = The bot checked the message against the old one.
answered = The bot answered with the old one.
silent = The model chose silence under the old one.
asked = The bot asked the model with the old one.
request = request as sent
tell-operator = Tell the operator: the bot has not read the configuration since it was edited.
reload = Run `systemctl reload glassmind` (SIGHUP) on the host; then ask again.
restart = Restart the bot; then ask again.
change-environment = The environment sets its own value (systemd? a shell?): change it there, and restart the bot.
settle = reload or restart, and ask again.
