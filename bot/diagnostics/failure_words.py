"""Say in plain words why something could not be read, and what to do about it."""

from __future__ import annotations

from bot.domain.finding import UnreadEvidence
from bot.errors import BotError
from bot.text.links import defang
from bot.text.text import excerpt

_MAX_REASON_CHARS = 120
_INSTALL = "Install the bot again with its dependencies, then restart it."
_LOG = "It is in the log; report it if it stays."
_MEMORY = "Free memory, or give the bot more."
_NO_MEMORY = "there is not enough memory"
_CURES = {"ImportError": _INSTALL, "ModuleNotFoundError": _INSTALL, "SyntaxError": _INSTALL, "MemoryError": _MEMORY}


def unread_part(what: str, error: BaseException) -> UnreadEvidence:
    """Put an error into words. Only what cannot hold anybody's words is quoted."""
    why, fix = _words(error)
    return UnreadEvidence(what=what, why=defang(excerpt(why, _MAX_REASON_CHARS)), fix=fix)


def unread_line(one: UnreadEvidence) -> str:
    """Say what could not be read, why, and what to do."""
    return f"{one.what}: {one.why}" + (f" → {one.fix}" if one.fix else "")


def recorded_error(error: BaseException) -> str:
    """Name an error for the ledger: its type, and where something of the installation is broken, what."""
    name = type(error).__name__
    if isinstance(error, ImportError):
        return f"{name}: {excerpt(error.msg or str(error.name), _MAX_REASON_CHARS)}"
    if isinstance(error, SyntaxError | MemoryError) or (isinstance(error, OSError) and error.filename):
        return f"{name}: {excerpt(_words(error)[0], _MAX_REASON_CHARS)}"
    return name


def fix_of_error(recorded: str) -> str:
    """Say what helps where the installation or the machine broke, by what the ledger says; empty: it was neither."""
    return next((words for name, words in _CURES.items() if f"{name}:" in recorded), "")


def _words(error: BaseException) -> tuple[str, str]:
    match error:
        case BotError():
            # written to be read, and free of secrets
            return str(error).strip().rstrip(".") or "no reason was given", ""
        case TimeoutError():
            return "it took too long", "Ask again; if it stays, look at the machine's load and disk."
        case ImportError():
            return f"a library cannot be loaded: {error.msg or error.name}", _INSTALL
        case SyntaxError():
            return f"{_file(error.filename)} is damaged (line {error.lineno or 0})", _INSTALL
        case MemoryError():
            return _NO_MEMORY, _MEMORY
        case OSError():
            where = f"{_file(error.filename)}: " if error.filename else ""
            said = error.strerror or str(error) or type(error).__name__
            return f"{where}{said}", "Check that the file is there and that the bot may read it."
        case _:
            return f"something in me failed ({type(error).__name__})", _LOG


def _file(name: object) -> str:
    return str(name).replace("\\", "/").rpartition("/")[2] if name else "a file"
