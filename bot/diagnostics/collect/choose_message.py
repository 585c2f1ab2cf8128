"""Choose which message a bare "why" is about."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.diagnostics.evidence.evidence import MessageChoice
from bot.domain.ids import PersonKey
from bot.domain.ledger import ArrivalDisposition, Outcome, StoredInbound
from bot.domain.messages import AuthorKind, EventKind, Inbound, InboundKind
from bot.mind.fact_search import alike, query
from bot.text.terms import terms

DAY_MS = 86_400_000
_NEAR_QUESTION_MS = 3_600_000
"""How much older than group talk, or than failed work, a message that wanted an answer may be and still be meant."""

_ANSWERED_OUTCOMES = frozenset({Outcome.REPLIED, Outcome.COMMAND, Outcome.SUPERSEDED})
_FAILED_OUTCOMES = frozenset({Outcome.FAILED, Outcome.INTERRUPTED})
_PEOPLE = frozenset({AuthorKind.PERSON, AuthorKind.ANONYMOUS_ADMIN})


class AskedAbout(StrEnum):
    """What a question is about that names no message; `EITHER`: the newer of the two."""

    SILENCE = "silence"
    ANSWER = "answer"
    EITHER = "either"


class ChosenMessage(NamedTuple):
    """A message, and how it came to be chosen."""

    inbound: StoredInbound
    why: str


def choose(recent: Sequence[StoredInbound], asker: PersonKey | None, now: int) -> ChosenMessage | None:
    """Choose the asker's newest unanswered message, else the channel's, else the newest; `recent` is newest first.

    Unanswered is what let its author go without any answer since. Group talk that was not addressed to the bot counts
    only when nothing else went unanswered about then, and when the bot has not spoken since. Between the two comes the
    bot's own work that failed: nobody waits for it by name, but its failure is the last that the channel heard of it.
    """
    asked = [inbound for inbound in recent if _is_question(inbound)]
    people = [one for one in asked if one.inbound.author.kind in _PEOPLE or _has_no_author(one.inbound)]
    waiting = [inbound for inbound in people if _is_ignored(inbound, people) and inbound.arrived_at > now - DAY_MS]
    work = [inbound for inbound in _failed_work(recent) if inbound.arrived_at > now - DAY_MS]
    chatter = _chatter(people)
    latest = max((inbound.arrived_at for inbound in (*work[:1], *chatter[:1])), default=0)
    wanting, failed = ([one for one in pool if one.arrived_at > latest - _NEAR_QUESTION_MS] for pool in (waiting, work))
    if found := _of_people(wanting, asker):
        return found
    if failed:
        return ChosenMessage(failed[0], MessageChoice.NEWEST_FAILED_WORK)
    newest = people or asked
    return _of_people(chatter, asker) or (ChosenMessage(newest[0], MessageChoice.NEWEST) if newest else None)


def choose_for(
    about: AskedAbout, recent: Sequence[StoredInbound], asker: PersonKey | None, now: int, words: str = ""
) -> ChosenMessage | None:
    """Choose the message that a question is about; `recent` is newest first, `words` are those of the question."""
    answer = newest_answered(recent, asker, words) if about is not AskedAbout.SILENCE else None
    if answer is not None and about is AskedAbout.ANSWER:
        return answer
    silence = choose(recent, asker, now)
    is_newer = silence is not None and _went_unanswered_since(silence, recent, asker)
    return silence if answer is None or is_newer else answer


def _went_unanswered_since(silence: ChosenMessage, recent: Sequence[StoredInbound], asker: PersonKey | None) -> bool:
    """Say whether a message waits that is newer than every answer; of group talk, only what the asker said counts."""
    inbound = silence.inbound
    spoken = max((one.id for one in recent if one.outcome is Outcome.REPLIED), default=0)
    is_own = asker is not None and inbound.inbound.person == asker
    return silence.why != MessageChoice.NEWEST and inbound.id > spoken and (is_own or not _is_chatter(inbound))


def newest_answered(recent: Sequence[StoredInbound], asker: PersonKey | None, words: str = "") -> ChosenMessage | None:
    """Return the newest message that was answered; None where nothing was.

    What is about the same as `words` comes first, then what the asker wrote themselves.
    """
    answered = [one for one in recent if one.outcome is Outcome.REPLIED and _is_question(one)]
    named = query(words).subjects
    if fitting := [one for one in answered if any(alike(n, t) for n in named for t in terms(one.inbound.text))]:
        return ChosenMessage(fitting[0], MessageChoice.NEWEST)
    own = [one for one in answered if asker is not None and one.inbound.person == asker]
    return ChosenMessage((own or answered)[0], MessageChoice.NEWEST) if answered else None


def _of_people(pool: Sequence[StoredInbound], asker: PersonKey | None) -> ChosenMessage | None:
    if own := [inbound for inbound in pool if asker is not None and inbound.inbound.person == asker]:
        return ChosenMessage(own[0], MessageChoice.YOUR_NEWEST_UNANSWERED)
    return ChosenMessage(pool[0], MessageChoice.NEWEST_UNANSWERED) if pool else None


def _failed_work(recent: Sequence[StoredInbound]) -> list[StoredInbound]:
    """Return the results over which a turn failed, as long as the bot has not spoken since, newest first."""
    spoken = max((inbound.id for inbound in recent if inbound.outcome is Outcome.REPLIED), default=0)
    results = [inbound for inbound in recent if inbound.inbound.kind is InboundKind.RESULT and inbound.id > spoken]
    return [inbound for inbound in results if inbound.outcome in _FAILED_OUTCOMES]


def _is_question(inbound: StoredInbound) -> bool:
    """Leave out commands, deletions, events, our own words and work, and edits that came too late to be asked about.

    A message that could not be read is kept as an event, and is one to be asked about all the same.
    """
    heard = inbound.inbound
    if heard.kind is InboundKind.DELETE or heard.author.kind is AuthorKind.SELF:
        return False
    if heard.kind is InboundKind.EVENT:
        return is_unreadable(heard)
    if inbound.disposition is ArrivalDisposition.AMEND:
        return inbound.turn > 0
    return inbound.disposition is not ArrivalDisposition.COMMAND and inbound.outcome is not Outcome.SUPERSEDED


def _is_ignored(inbound: StoredInbound, people: Sequence[StoredInbound]) -> bool:
    reacted = inbound.outcome is Outcome.SKIPPED and inbound.outcome_reason.startswith("reacted")
    if inbound.outcome in _ANSWERED_OUTCOMES or reacted or _is_chatter(inbound):
        return False
    author = inbound.inbound.person
    return not any(
        later.outcome is Outcome.REPLIED and later.inbound.person == author and later.id > inbound.id
        for later in people
    )


def _chatter(people: Sequence[StoredInbound]) -> list[StoredInbound]:
    since = max((inbound.id for inbound in people if inbound.outcome is Outcome.REPLIED), default=0)
    return [inbound for inbound in people if _is_chatter(inbound) and inbound.id > since]


def is_unreadable(heard: Inbound) -> bool:
    """Say whether it is a message of which nothing but where it stands could be read."""
    return heard.event is not None and heard.event.kind is EventKind.UNREADABLE


def _has_no_author(heard: Inbound) -> bool:
    return is_unreadable(heard) and heard.author.kind is AuthorKind.WEBHOOK


def _is_chatter(inbound: StoredInbound) -> bool:
    """Group talk that wanted nothing of the bot: kept aside by the gate, skipped by the model, or unreadable."""
    if inbound.outcome is Outcome.SKIPPED or is_unreadable(inbound.inbound):
        heard = inbound.inbound
        return not (heard.mentions_bot or heard.replies_to_bot or heard.place.is_dm)
    return inbound.outcome is Outcome.STORED_ONLY and inbound.outcome_reason in {"", "addressing"}
