"""A claim to own a new bot: made by `init`, kept beside the configuration, answered by writing one id into it.

The file holds a digest of the code and no code. It is there until somebody has used it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import tomllib
from contextlib import suppress
from pathlib import Path

from bot.config.file_privacy import exposure, read_text
from bot.domain.base import FrozenModel
from bot.domain.ids import UserId
from bot.errors import UserError
from bot.runtime.files import write_file
from bot.sentences import say

CODE_START = "claim-"
CLAIM_HOURS = 24
CODE_BYTES = 20
_HEADER = re.compile(r"(?m)^[ \t]*\[")
_NOBODY = re.compile(r"(?m)^[ \t]*owner_ids[ \t]*=[ \t]*\[[ \t]*\]")


class OwnerClaim(FrozenModel):
    """What is kept of a code: for which platform, until when (UTC ms), and its digest."""

    platform: str
    expires_at: int
    digest: str

    def is_for(self, code: str) -> bool:
        """Say, in constant time, whether a code is the one that was shown at the terminal."""
        return hmac.compare_digest(self.digest, _digest(code))


def new_code(random: bytes) -> str:
    """Write a code as links of every platform can carry it."""
    return f"{CODE_START}{random.hex()}"


def claim_path(config: Path) -> Path:
    """Say where the claim of a configuration is kept."""
    return config.with_name(f"{config.name}.claim")


def keep_claim(config: Path, platform: str, code: str, expires_at: int) -> None:
    """Keep a claim in place of an older one; raise OSError. Blocks."""
    claim = OwnerClaim(platform=platform, expires_at=expires_at, digest=_digest(code))
    write_file(claim_path(config), claim.model_dump_json().encode(), replace=True)


def read_claim(config: Path) -> OwnerClaim | None:
    """Return the claim that is kept; None where there is none that we alone could have written. Blocks."""
    path = claim_path(config)
    with suppress(OSError, ValueError):
        if not exposure(path, is_secret=True):
            return OwnerClaim.model_validate_json(read_text(path))
    return None


def drop_claim(config: Path) -> None:
    """Take a claim away: it was used, or is no use any more. Blocks."""
    with suppress(OSError):
        claim_path(config).unlink(missing_ok=True)


def write_owner(config: Path, platform: str, owner: UserId) -> None:
    """Write the first owner of a platform into the configuration; everything else in it stays as it is.

    Raise UserError where that cannot be done safely. Blocks.
    """
    line = f"owner_ids = [{int(owner)}]"
    try:
        before = read_text(config)
        after = _with_line(before, platform, line)
        wanted, found = tomllib.loads(before), tomllib.loads(after)
        wanted["platforms"][platform]["owner_ids"] = [int(owner)]
        if found != wanted or int(owner) <= 0:
            raise ValueError(say("config.more-would-change"))
        write_file(config.resolve(), after.encode(), replace=True)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise UserError(f"{why}\n[platforms.{platform}]\n{line}") from None


def _with_line(text: str, platform: str, line: str) -> str:
    header = re.search(rf"(?m)^[ \t]*\[platforms\.{re.escape(platform)}\][ \t]*(#.*)?$", text)
    if header is None:
        raise ValueError(say("config.not-its-own-table", platform=platform))
    following = _HEADER.search(text, header.end())
    end = following.start() if following else len(text)
    table = text[header.end() : end]
    if _NOBODY.search(table):
        return text[: header.end()] + _NOBODY.sub(line, table, count=1) + text[end:]
    return f"{text[: header.end()]}\n{line}{text[header.end() :]}"


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()
