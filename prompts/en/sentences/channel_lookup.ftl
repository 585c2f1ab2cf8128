### Why it is not clear which channel somebody means.

several-agents = Several agents know { $channel }: { $agents }. Write { $first }/{ $channel }.
several-channels = { $count } channels are called { $name }. Give the id: { $ids }
unknown-none = The bot knows no channel { $name }. It has not heard anything in any channel yet.
unknown-closest = The bot knows no channel { $name }. Closest: { $channels }
unknown-known = The bot knows no channel { $name }. Known: { $channels }
