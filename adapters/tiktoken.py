"""Count tokens with OpenAI's o200k_base, from ranks that are shipped with the bot: never from the network."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import count
from typing import Any, Protocol

import structlog

from bot.domain.snapshot import CountMethod, Tokenizer
from bot.runtime.lru_cache import LRUCache

log = structlog.get_logger(__name__)

NAME = "o200k_base"
ESTIMATED_NAME = "bytes/2"
"""Who counts where the table cannot be had: too many tokens for nearly every text, so that nothing overflows."""
BYTES_PER_TOKEN = 2
MAX_CALL_CHARS = 100_000
"""Characters. A run of about a million spaces makes tiktoken raise a BaseException."""
MAX_KEPT_TEXTS = 10_000
"""Counts that are remembered, each in 300 bytes: a context of nearly as many messages is not counted at every look."""
FEW_CHARS = 4000
"""Characters that are counted at once: half a millisecond, two at worst, where a thread would cost as much."""
SPECIAL_TOKENS = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
PATTERN = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
"""As in tiktoken_ext/openai_public.py, whose own function would download the ranks."""
BREATH_TOKENS = 4096
"""After so many ranks the loading thread lets the others in: about a millisecond."""
_Key = tuple[int, int]
"""The keyed 64-bit hash that Python keeps in each string, and its length: a look-up costs nothing, however long the
text, and no text is held for it. Two of 6,000 texts of one length collide once in 10**12 processes."""
# https://github.com/openai/tiktoken/blob/main/tiktoken/model.py: the prefixes that map to o200k_base
_EXACT = ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "chatgpt-4o", "o1", "o3", "o4")


class EncoderCore(Protocol):
    """What the compiled part of the library does for us."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the tokens of a text; what looks like a special token is plain words."""


def create(settings: Mapping[str, Any]) -> TiktokenCounter:
    """Make a counter; it has no settings and loads nothing yet."""
    return TiktokenCounter()


class TiktokenCounter:
    """Implements `bot.ports.model.TokenCounter`. May be used from several threads."""

    def __init__(self) -> None:
        self._core: EncoderCore | None = None
        self._loading = threading.Lock()
        self._kept: LRUCache[_Key, int] = LRUCache(MAX_KEPT_TEXTS)
        self._keeping = threading.Lock()
        self._trouble: BaseException | None = None

    @property
    def ready(self) -> bool:
        """Whether the table is loaded, or it is known that it cannot be."""
        return self._core is not None or self._trouble is not None

    @property
    def trouble(self) -> BaseException | None:
        """Why there are only estimates; None while the table is there, or nobody has needed it."""
        return self._trouble

    def tokenizer(self, model: str) -> Tokenizer:
        """Return who counts for a model: exact where OpenAI itself uses these ranks, else an estimate."""
        if self._trouble is not None:
            return Tokenizer(name=ESTIMATED_NAME, method=CountMethod.ESTIMATE)
        name = model.rsplit("/", 1)[-1].lower()
        exact = name.startswith(_EXACT) and not model.startswith("simulated/")
        return Tokenizer(name=NAME, method=CountMethod.EXACT if exact else CountMethod.ESTIMATE)

    def known(self, text: str) -> int | None:
        """Return the count of a text if it is already known."""
        return self._kept.peek((hash(text), len(text)))

    def count(self, text: str) -> int:
        """Return the count of a text, counting it now if it must."""
        key = (hash(text), len(text))
        with self._keeping:
            found = self._kept.get(key)
        if found is None:
            found = self._encode(text)
            with self._keeping:
                self._kept.put(key, found)
        return found

    async def warm(self, texts: Sequence[str]) -> None:
        """Count what is not known yet in a thread; the table is loaded when it must be."""
        kept = self._kept
        missing = [text for text in texts if (hash(text), len(text)) not in kept]
        if missing:
            await asyncio.to_thread(self._count_all, missing)

    async def sizes(self, texts: Sequence[str]) -> Mapping[str, int]:
        """Return the count of each text; what is not known yet is counted in a thread, but for a few words."""
        found, missing = dict[str, int](), list[str]()
        with self._keeping:
            for text in dict.fromkeys(texts):
                size = self._kept.get((hash(text), len(text)))
                if size is None:
                    missing.append(text)
                else:
                    found[text] = size
        if not missing:
            return found
        if self.ready and sum(map(len, missing)) <= FEW_CHARS:
            return found | self._count_all(missing)
        return found | await asyncio.to_thread(self._count_all, missing)

    def _count_all(self, texts: Iterable[str]) -> dict[str, int]:
        return {text: self.count(text) for text in texts}

    def _encode(self, text: str) -> int:
        core = self._core or self._loaded()
        if core is None:
            return estimate(text)
        if len(text) <= MAX_CALL_CHARS:
            return _count_piece(core, text)
        return sum(_count_piece(core, text[at : at + MAX_CALL_CHARS]) for at in range(0, len(text), MAX_CALL_CHARS))

    def _loaded(self) -> EncoderCore | None:
        """Load the table once; None where that fails, and then it is not tried again by this process."""
        with self._loading:
            if self._core is None and self._trouble is None:
                try:
                    self._core = _load()
                except (KeyboardInterrupt, SystemExit):
                    raise
                except BaseException as error:  # noqa: BLE001 - a broken library must not take the answers with it
                    log.error("token_table_not_loaded", error_type=type(error).__name__, error=str(error))
                    self._trouble = error
            return self._core


def estimate(text: str) -> int:
    """Guess the tokens of a text from its bytes."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // BYTES_PER_TOKEN)


def read_ranks() -> dict[bytes, int]:
    """Read the shipped table: for each rank in order one byte of length, then so many bytes."""
    return {token: rank for rank, token in enumerate(_tokens())}


def _tokens() -> Iterator[bytes]:
    # imported here: a Python that was built without it can still count by bytes
    import lzma

    data = lzma.decompress((files("bot") / "data" / "o200k_base.bin.xz").read_bytes())
    at, end = 0, len(data)
    while at < end:
        start = at + 1
        at = start + data[at]
        yield data[start:at]


class _SharedRank:
    """The rank of every token of a table: one value for all, another number each time that it is read.

    The library reads the whole table in order, in one call that never gives the interpreter away. It asks a value that
    is not an int for its `__index__`, and that is Python: so others get their turn. And the numbers need not be there
    all at once: 200,000 of them would lie between what others make meanwhile, and leave holes in the memory.
    """

    __slots__ = ("_breath", "_ranks")

    def __init__(self, ranks: Iterable[int], breath: int) -> None:
        self._ranks = iter(ranks)
        self._breath = breath

    def __index__(self) -> int:
        rank = next(self._ranks)
        if not (rank + 1) % self._breath:
            time.sleep(0)
        return rank


def _load() -> EncoderCore:
    # imported here: the module costs memory that a bot with small contexts never needs.
    # And the core alone: `tiktoken.Encoding` would keep the 200,000 ranks a second time, as a dict of 23 MiB
    from tiktoken._tiktoken import CoreBPE  # type: ignore[import-not-found]

    # the special tokens are read last; what follows sorts the table and cannot be interrupted
    ranks = dict.fromkeys(_tokens(), _SharedRank(count(), BREATH_TOKENS))
    special = dict.fromkeys(SPECIAL_TOKENS, _SharedRank(SPECIAL_TOKENS.values(), 1))
    core: EncoderCore = CoreBPE(ranks, special, PATTERN)
    return core


def _count_piece(core: EncoderCore, piece: str) -> int:
    try:
        return len(core.encode_ordinary(piece))
    except (KeyboardInterrupt, SystemExit):
        raise
    except UnicodeEncodeError:
        # a lone surrogate; as in tiktoken/core.py
        return len(core.encode_ordinary(piece.encode("utf-16", "surrogatepass").decode("utf-16", "replace")))
    except BaseException:  # noqa: BLE001 - the Rust side panics with one of its own; bytes are the certain upper bound
        return len(piece.encode("utf-8", "surrogatepass"))
