"""What is on its way between processes, unreadable for whoever has the database and not the key of the bot."""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import blake2b, shake_256
from hmac import compare_digest

_MARK = "shut:"
_TAG_BYTES = 16
_KEY_BYTES = 32


class RelayCipher:
    """Encrypts texts under a key and authenticates them, with what Python brings along.

    The keystream begins with the tag, which is a keyed digest of the text (a synthetic IV): nothing has to be drawn,
    and nothing is given away but that two texts are the same.
    """

    def __init__(self, secret: bytes) -> None:
        self._tags, self._stream = (
            blake2b(secret, digest_size=_KEY_BYTES, person=use).digest() for use in (b"relay tag", b"relay stream")
        )

    def shut(self, text: str) -> str:
        """Return a text as it may be stored."""
        plain = text.encode("utf-8", "surrogatepass")
        tag = self._tag(plain)
        return _MARK + b64encode(tag + self._mixed(tag, plain)).decode()

    def open(self, stored: str) -> str:
        """Return the text; empty where it was altered, or is another key's. What was never shut stays as it is."""
        if not stored.startswith(_MARK):
            return stored
        try:
            raw = b64decode(stored.removeprefix(_MARK), validate=True)
        except ValueError:
            return ""
        tag = raw[:_TAG_BYTES]
        plain = self._mixed(tag, raw[_TAG_BYTES:])
        return plain.decode("utf-8", "surrogatepass") if compare_digest(tag, self._tag(plain)) else ""

    def _tag(self, plain: bytes) -> bytes:
        return blake2b(plain, digest_size=_TAG_BYTES, key=self._tags).digest()

    def _mixed(self, tag: bytes, text: bytes) -> bytes:
        stream = shake_256(self._stream + tag).digest(len(text))
        return (int.from_bytes(text) ^ int.from_bytes(stream)).to_bytes(len(text))
