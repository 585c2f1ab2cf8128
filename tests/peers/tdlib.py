"""Ask Telegram's own library: `python tdlib.py LIBRARY`, with a list of its requests on the input.

Only what needs no account and no network: https://core.telegram.org/tdlib/docs/td__json__client_8h.html#td_execute
"""

import ctypes
import json
import sys

library = ctypes.CDLL(sys.argv[1])
library.td_execute.restype = ctypes.c_char_p
library.td_execute.argtypes = [ctypes.c_char_p]


def ask(request: dict[str, object]) -> object:
    return json.JSONDecoder().decode(library.td_execute(json.dumps(request).encode()).decode())


ask({"@type": "setLogVerbosityLevel", "new_verbosity_level": 0})
json.dump([ask(request) for request in json.JSONDecoder().decode(sys.stdin.read())], sys.stdout)
