"""What is to be done: its kind, its words, and what they mention."""

from __future__ import annotations

import re
from enum import StrEnum

from bot.domain.base import FrozenModel, kept

_MAX_KEYWORDS = 24
_MIN_KEYWORD_CHARS = 3
_WORD = re.compile(r"[^\W_][\w./:#-]*")
_COMMON_TEXT = (
    "about after again all also and any are because been before being but can cannot could did does doing done for "
    "from get give got had has have her him his how into its just let like make may me more most must new not now off "
    "once one only other our out over own please same see she should some such tell than that the their them then "
    "there these they this those too use very want was way were what when where which who whom why will with would "
    "you your"
)
_COMMON_WORDS = frozenset(_COMMON_TEXT.split())


class TaskType(StrEnum):
    """Kinds of tasks.

    Of the cortex: DEBUG why it is silent or wrong, ANALYZE an audit, TEST a dry run or what-if, REFACTOR clean up
    memories or the prompt, IMPLEMENT draft a fix.
    """

    IMPLEMENT = "implement"
    DEBUG = "debug"
    REFACTOR = "refactor"
    TEST = "test"
    ANALYZE = "analyze"


class TaskBrief(FrozenModel):
    """What gatherers and prioritisers look at. `at` is UTC ms; `budget` what the context may hold, in tokens."""

    task_type: TaskType
    request: str
    at: int
    budget: int

    @kept
    def keywords(self) -> tuple[str, ...]:
        """The words of the request that mean something, in lower case, each once, in order."""
        return keywords(self.request)


# The first that matches decides: "why does the test fail" is about a failure, "write a test" is about a test.
_SIGNS: tuple[tuple[TaskType, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:{words})", re.IGNORECASE))
    for kind, words in (
        (
            TaskType.DEBUG,
            r"why\b|debug|bugs?\b|broken?\b|broke\b|crash|error|exception|traceback|fail(?:s|ed|ing|ure)?\b|silen[ct]"
            r"|wrong|stuck|hang(?:s|ing)?\b|not (?:respond|answer|reply|work)|(?:does|is|do|are|did)n.?t\b|stopped"
            r"|ignor",
        ),
        (TaskType.TEST, r"tests?\b|dry.run|what if\b|what would\b|would it\b|simulate|coverage|replay"),
        (
            TaskType.REFACTOR,
            r"refactor|clean(?: ?up|ing)?\b|rename|simplif|tidy|merge|dedup|reorgani[sz]|prune|restructure",
        ),
        (
            TaskType.ANALYZE,
            r"analy[sz]|audit|review|explain|summari[sz]|overview|describe|list\b|what\b|how\b|who\b|show",
        ),
        (TaskType.IMPLEMENT, r"implement|add\b|create|write|draft|build|make\b|fix\b|change|set\b|introduce|support"),
    )
)


def classify(request: str, said: str = "") -> TaskType:
    """Return the kind of a task: the one that was `said`, or opens the request as `debug: ...`, or by its words."""
    explicit = said or request.partition(":")[0]
    try:
        return TaskType(explicit.strip().lower())
    except ValueError:
        return next((kind for kind, sign in _SIGNS if sign.search(request)), TaskType.ANALYZE)


def keywords(request: str) -> tuple[str, ...]:
    """Return the words that a request is about; `bot/app.py` stays one word."""
    found = (word.rstrip(".:/#-").lower() for word in _WORD.findall(request))
    words = dict.fromkeys(word for word in found if len(word) >= _MIN_KEYWORD_CHARS and word not in _COMMON_WORDS)
    return tuple(words)[:_MAX_KEYWORDS]
