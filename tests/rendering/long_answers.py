"""Answers that do not fit into one message."""

from __future__ import annotations

_WORDS = " ".join(f"word{n}" for n in range(330))
_PROSE = " ".join(f"Sentence number {n} says something **strong** or *soft* about `tea_{n}`." for n in range(60))
_CODE = "\n".join(f"    pour({n}, cup='c{n}')  # number {n}" for n in range(150))
_WIDE = "\n".join(
    f"| Service number {n} of the whole house | looks after what was asked for | `run --with {n}` |" for n in range(40)
)

LONG = {
    "bold over a cut": f"**{_WORDS}**",
    "bold in italic over a cut": f"*All of it: **{_WORDS}** and so on.*",
    "struck out in a list": f"- one\n- ~~{_WORDS}~~\n- three",
    "a spoiler": f"The end: ||{_WORDS}|| is out.",
    "150 lines of code": f"Here:\n\n```python\ndef brew():\n{_CODE}\n```\n\nThat is all.",
    "150 lines of code in a list": "1. First:\n   ```python\n"
    + "\n".join(f"   {line}" for line in _CODE.split("\n"))
    + "\n   ```\n2. Then.",
    "a narrow table": "| n | square | even |\n|--:|--:|:-:|\n"
    + "\n".join(f"| {n} | {n * n} | `{n % 2 == 0}` |" for n in range(140)),
    "a wide table": f"| Service | What it does | Command |\n|---|---|---|\n{_WIDE}",
    "a quote": "\n".join(f"> **Line {n}** of what they said, with `code` in it." for n in range(60)) + "\n\nEnd.",
    "a quote of one line": f"> {_WORDS} *{_WORDS}*",
    "prose with marks": _PROSE,
    "Persian": "این یک متن **بلند** است و `code` دارد. " * 70,
    "Chinese without spaces": "这是一个很长的**句子，没有空格**。" * 150,
    "links": " ".join(f"[page {n}](https://example.org/a_b/{n}?q=*x*)" for n in range(70)),
    "a list": "\n".join(f"{n}. **Item {n}**: {'words ' * 12}`code_{n}`" for n in range(40)),
    "code of one line": "Use this: `" + " ".join(f"--flag-{n}=*value*" for n in range(150)) + "`.",
    "formulas": "\n\n".join(
        f"Step {n}: \\( x_{{{n}}} = {n}*y \\) holds.\n\n\\[ a_{n} = b_{n}*c \\]" for n in range(45)
    ),
    "titles": "\n\n".join(f"## Part {n}\n\n{'Some words about it. ' * 12}" for n in range(12)),
    "Markdown in Markdown": "```markdown\n"
    + "\n".join(f"# Part {n}\n\n```bash\nmake part_{n}\n```\n" for n in range(60))
    + "```",
}
