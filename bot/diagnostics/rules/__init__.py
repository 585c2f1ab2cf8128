"""Every rule. Add one: a file here with `check`, and a line in ALL."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.diagnostics.evidence import Evidence
from bot.diagnostics.rules import (
    access,
    addressing,
    anew,
    attached,
    author,
    conflict,
    connection,
    directive,
    elsewhere,
    empty,
    guess,
    intent,
    kinds,
    lacking,
    late,
    moved,
    orphan,
    pause,
    privacy,
    process,
    provider,
    queue,
    refused,
    removed,
    rights,
    silence,
    slash,
    stale,
    suppressed,
    swallowed,
    unfit,
    window,
)
from bot.domain.finding import Finding

Rule = Callable[[Evidence], Iterator[Finding]]

ALL: tuple[Rule, ...] = (
    process.check,
    connection.check,
    late.check,
    removed.check,
    privacy.check,
    intent.check,
    slash.check,
    author.check,
    kinds.check,
    moved.check,
    access.check,
    pause.check,
    addressing.check,
    queue.check,
    stale.check,
    provider.check,
    unfit.check,
    window.check,
    guess.check,
    attached.check,
    orphan.check,
    directive.check,
    silence.check,
    empty.check,
    conflict.check,
    lacking.check,
    anew.check,
    elsewhere.check,
    suppressed.check,
    refused.check,
    rights.check,
    swallowed.check,
)
