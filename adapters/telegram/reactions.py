"""The emoji that Telegram takes as reactions, and what stands in for others."""

from __future__ import annotations

from telegram.constants import ReactionEmoji

_TEXT_STYLE = "\ufe0f"
_ALLOWED = {emoji.value.replace(_TEXT_STYLE, ""): emoji.value for emoji in ReactionEmoji}
_INSTEAD = {
    "⚠": "😨",
    "🚨": "😨",
    "✅": "👌",
    "✔": "👌",
    "☑": "👌",
    "❌": "👎",
    "✖": "👎",
    "🚫": "👎",
    "⏳": "🤯",
    "⌛": "👀",
    "👁": "👀",
    "🔍": "👀",
    "🔎": "👀",
    "💭": "🤔",
    "❓": "🤔",
    "❔": "🤔",
    "🙂": "🤗",
    "😊": "🤗",
    "😀": "😁",
    "😃": "😁",
    "😄": "😁",
    "😆": "🤣",
    "😂": "🤣",
    "🥳": "🎉",
    "🎊": "🎉",
    "👋": "🤗",
    "💪": "👏",
    "🙌": "👏",
    "🚀": "⚡",
    "⭐": "🤩",
    "🌟": "🤩",
    "✨": "🤩",
    "💙": "❤",
    "💚": "❤",
    "💛": "❤",
    "💜": "❤",
    "🧡": "❤",
    "💖": "❤",
    "😕": "🤨",
    "🙁": "😢",
    "😔": "😢",
    "😞": "😢",
    "😠": "😡",
    "📝": "✍",
}


def reaction(emoji: str) -> str | None:
    """Return the allowed reaction that comes nearest; None when nothing does."""
    bare = emoji.strip().replace(_TEXT_STYLE, "")
    return _ALLOWED.get(bare) or _ALLOWED.get(_INSTEAD.get(bare, ""))
