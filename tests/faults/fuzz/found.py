"""Inputs that once broke a promise of a reader, kept so that they never do again."""

from __future__ import annotations

from collections.abc import Mapping

_SOUND = b'[model]\nname = "openai/gpt-5-mini"\n[providers.openai]\nkind = "openai"\napi_key = "env:CANARY"\n'

FOUND: Mapping[str, tuple[bytes, ...]] = {
    "config": (
        b"sk-canary-5Qw8Zr1Lm4Xv7Tb2Nc9Kd6 = [1]\n" + _SOUND + b'[channels."telegram:123"]\nmode = "quiet"\n',
        b"heresk-canary-5Qw8Zr1Lm4Xv7Tb2Nc9Kd6 = 1\n" + _SOUND,
        b"8" * 95 + b"sk-canary-5Qw8Zr1Lm4Xv7Tb2Nc9Kd6 = [1]\n" + _SOUND,
        b'[platforms.telegram]\ntoken = "env:CANARY"\now = [' + b"8" * 83 + b"]\n",
        b"[platforms.x]\nkind = " + b"4" * 27 + b"\n",
        b"a = " + b"9" * 5_000 + b"\n",
        b"a = " + b"[" * 5_000 + b"]" * 5_000 + b"\n",
    )
}
