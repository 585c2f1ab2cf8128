"""Count tokens with OpenAI's o200k_base, from ranks that are shipped with the bot: never from the network."""

from __future__ import annotations

import asyncio
import lzma
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bot.domain.snapshot import CountMethod, Tokenizer

if TYPE_CHECKING:
    from tiktoken import Encoding

NAME = "o200k_base"
LONGEST_CALL = 100_000
"""Characters. A run of about a million spaces makes tiktoken raise a BaseException."""
MOST_KEPT = 65_536
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
_Key = tuple[int, int]
# https://github.com/openai/tiktoken/blob/main/tiktoken/model.py: the prefixes that map to o200k_base
_EXACT = ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "chatgpt-4o", "o1", "o3", "o4")


def create(settings: Mapping[str, Any]) -> TiktokenCounter:
    """Make a counter; it has no settings and loads nothing yet."""
    return TiktokenCounter()


class TiktokenCounter:
    """Implements `bot.ports.model.TokenCounter`. May be used from several threads."""

    def __init__(self) -> None:
        self._encoding: Encoding | None = None
        self._loading = threading.Lock()
        self._kept: OrderedDict[_Key, int] = OrderedDict()
        self._keeping = threading.Lock()

    @property
    def ready(self) -> bool:
        """Whether the table is loaded."""
        return self._encoding is not None

    def tokenizer(self, model: str) -> Tokenizer:
        """Return who counts for a model: exact where OpenAI itself uses these ranks, else an estimate."""
        name = model.rsplit("/", 1)[-1].lower()
        exact = name.startswith(_EXACT) and not model.startswith("simulated/")
        return Tokenizer(name=NAME, method=CountMethod.EXACT if exact else CountMethod.ESTIMATE)

    def known(self, text: str) -> int | None:
        """Return the count of a text if it is already known."""
        return self._kept.get(_key(text))

    def count(self, text: str) -> int:
        """Return the count of a text, counting it now if it must."""
        key = _key(text)
        found = self._recall(key)
        if found is None:
            found = self._encode(text)
            self._keep(key, found)
        return found

    async def warm(self, texts: Sequence[str]) -> None:
        """Count what is not known yet in a thread; the table is loaded when it must be."""
        missing = [text for text in dict.fromkeys(texts) if self.known(text) is None]
        if missing:
            await asyncio.to_thread(self._count_all, missing)

    def _count_all(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.count(text)

    def _recall(self, key: _Key) -> int | None:
        found = self._kept.get(key)
        if found is not None and len(self._kept) > MOST_KEPT // 2:
            # who was used last matters only once something will have to go
            with self._keeping:
                if key in self._kept:
                    self._kept.move_to_end(key)
        return found

    def _keep(self, key: _Key, count: int) -> None:
        with self._keeping:
            self._kept[key] = count
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)

    def _encode(self, text: str) -> int:
        encoding = self._loaded()
        return sum(_count_piece(encoding, piece) for piece in _pieces(text))

    def _loaded(self) -> Encoding:
        with self._loading:
            if self._encoding is None:
                self._encoding = _load()
            return self._encoding


def read_ranks() -> dict[bytes, int]:
    """Read the shipped table: for each rank in order one byte of length, then so many bytes."""
    data = lzma.decompress((files("bot") / "data" / "o200k_base.bin.xz").read_bytes())
    return {token: rank for rank, token in enumerate(_tokens(data))}


def _tokens(data: bytes) -> Iterator[bytes]:
    at, end = 0, len(data)
    while at < end:
        start = at + 1
        at = start + data[at]
        yield data[start:at]


def _load() -> Encoding:
    # imported here: the module costs memory that a bot with small contexts never needs
    from tiktoken import Encoding

    return Encoding(NAME, pat_str=PATTERN, mergeable_ranks=read_ranks(), special_tokens=SPECIAL_TOKENS)


def _pieces(text: str) -> Iterator[str]:
    if len(text) <= LONGEST_CALL:
        yield text
        return
    for start in range(0, len(text), LONGEST_CALL):
        yield text[start : start + LONGEST_CALL]


def _count_piece(encoding: Encoding, piece: str) -> int:
    try:
        return len(encoding.encode_ordinary(piece))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 - the Rust side panics with one of its own; bytes are the certain upper bound
        return len(piece.encode("utf-8", "surrogatepass"))


def _key(text: str) -> _Key:
    # the keyed 64-bit hash that Python keeps in each string: a look-up costs nothing, however long the text, and
    # no text is held for it; two of 65,536 texts of one length collide once in 10**10 processes
    return hash(text), len(text)
