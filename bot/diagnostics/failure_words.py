"""Say in plain words why something could not be read, and what to do about it."""

from __future__ import annotations

from bot.domain.finding import UnreadEvidence
from bot.errors import BotError
from bot.sentences import ENGLISH, say, speaking
from bot.text.links import defang
from bot.text.text import excerpt

_MAX_REASON_CHARS = 120
_INSTALL, _MEMORY = "failure_words.install-again", "failure_words.more-memory"
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
        # a record is read later, by people of any language
        with speaking(ENGLISH):
            return f"{name}: {excerpt(_words(error)[0], _MAX_REASON_CHARS)}"
    return name


def fix_of_error(recorded: str) -> str:
    """Say what helps where the installation or the machine broke, by what the ledger says; empty: it was neither."""
    return next((say(words) for name, words in _CURES.items() if f"{name}:" in recorded), "")


def _words(error: BaseException) -> tuple[str, str]:
    match error:
        case BotError():
            # written to be read, and free of secrets
            return str(error).strip().rstrip(".") or say("failure_words.no-reason"), ""
        case TimeoutError():
            return say("failure_words.too-slow"), say("failure_words.too-slow-fix")
        case ImportError():
            return say("failure_words.no-library", what=error.msg or str(error.name)), say(_INSTALL)
        case SyntaxError():
            line = str(error.lineno or 0)
            return say("failure_words.damaged", file=_file(error.filename), line=line), say(_INSTALL)
        case MemoryError():
            return say("failure_words.no-memory"), say(_MEMORY)
        case OSError():
            said = error.strerror or str(error) or type(error).__name__
            if error.filename:
                said = say("failure_words.file-said", file=_file(error.filename), words=said)
            return said, say("failure_words.check-file")
        case _:
            return say("failure_words.unknown", name=type(error).__name__), say("failure_words.in-the-log")


def _file(name: object) -> str:
    return str(name).replace("\\", "/").rpartition("/")[2] if name else say("failure_words.a-file")
