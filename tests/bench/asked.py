"""How many written questions are read right without a model, and how many are left to one.

Reported apart: what was written before the reader was built; after it, which then taught it more words; and last of
all, after which nothing was changed. Only the last is what strangers may expect. Slang and Italian came later, and
idioms after them, each with a last set of its own. A bare why that may mean a silence or an answer is right, and is
counted as left to the record, too: `tests/dialogs/test_asked.py` plays what the record makes of it.
"""

from __future__ import annotations

import sys
from functools import cache

import orjson

from bot.cortex.commands.did_you_mean import understand
from bot.cortex.commands.question_reader import QuestionKind
from tests.bench.questions.written_after import AFTER
from tests.bench.questions.written_before import BEFORE
from tests.bench.questions.written_idioms import IDIOMS, IDIOMS_LAST
from tests.bench.questions.written_last import LAST
from tests.bench.questions.written_slang import SLANG, SLANG_LAST

_LEAD_TO_A_PAGE = frozenset({QuestionKind.WHAT_IS, QuestionKind.WHERE_IS, QuestionKind.COMMAND})

HALVES = {
    "before": BEFORE,
    "after": AFTER,
    "last": LAST,
    "slang": SLANG,
    "slang last": SLANG_LAST,
    "idioms": IDIOMS,
    "idioms last": IDIOMS_LAST,
}
_WHYS = frozenset({QuestionKind.WHY_SILENT, QuestionKind.WHY_ANSWER})


read_once = cache(understand)


def is_right(kind: str, line: str, words: str) -> bool:
    """Say whether a question leads where it was meant to; a guess that is offered among others counts.

    A line that names the right command is right, whether it was taken for a question about it or for its name.
    """
    read = read_once(words)
    if kind in _LEAD_TO_A_PAGE:
        return read.kind in _LEAD_TO_A_PAGE and line in (read.line, *read.guesses)
    return read.kind == kind or (read.kind is QuestionKind.WHY and kind in _WHYS)


def figures() -> dict[str, float]:
    """Return the shares of each half, by kind and in all."""
    found: dict[str, float] = {}
    for half, cases in HALVES.items():
        known = [case for case in cases if case[0] != QuestionKind.LEFT_OVER]
        found[f"{half} read right"] = sum(is_right(*case) for case in known) / len(known)
        found[f"{half} to a model"] = sum(read_once(c[2]).kind is QuestionKind.LEFT_OVER for c in known) / len(known)
        found[f"{half} to the record"] = sum(read_once(c[2]).kind is QuestionKind.WHY for c in known) / len(known)
        for kind in QuestionKind:
            own = [case for case in cases if case[0] == kind]
            if own:
                found[f"{half} {kind}"] = sum(is_right(*case) for case in own) / len(own)
    return {name: round(value, 3) for name, value in found.items()}


def main() -> None:
    if "--wrong" in sys.argv:
        for half, cases in HALVES.items():
            for case in cases:
                if not is_right(*case):
                    sys.stderr.write(f"{half}: {case} read as {read_once(case[2])}\n")
    sys.stdout.write(orjson.dumps(figures(), option=orjson.OPT_INDENT_2).decode() + "\n")


if __name__ == "__main__":
    main()
