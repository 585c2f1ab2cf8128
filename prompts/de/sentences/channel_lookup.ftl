### Warum nicht klar ist, welchen Kanal jemand meint.

several-agents = Mehrere Agenten kennen { $channel }: { $agents }. Schreib { $first }/{ $channel }.
several-channels = { $count } Kanäle heißen { $name }. Gib die ID an: { $ids }
unknown-none = Der Bot kennt keinen Kanal { $name }. Er hat noch in keinem Kanal etwas gehört.
unknown-closest = Der Bot kennt keinen Kanal { $name }. Am ähnlichsten: { $channels }
unknown-known = Der Bot kennt keinen Kanal { $name }. Bekannt: { $channels }
