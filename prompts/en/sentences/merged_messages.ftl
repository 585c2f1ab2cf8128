### Which messages the bot answered as one, and how long it waited for more.

one-turn = { $count } messages became one turn ({ $sign }).
one-turn-waited = { $count } messages became one turn: the bot waited { $waited } for more.
one-turn-waited-for = { $count } messages became one turn: the bot waited { $waited } for more ({ $sign }).
waited = The bot waited { $waited } for more.
waited-for = The bot waited { $waited } for more ({ $sign }).
began-again = The bot dropped its first request: another piece came a moment later.
