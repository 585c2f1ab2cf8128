"""Read whether a silence or a refusal repeats an earlier one of the bot's own that its request holds."""

from __future__ import annotations

from bot.diagnostics.evidence.culprit import find_culprit
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import message, outcome
from bot.diagnostics.evidence.skip_reason import read_skip
from bot.diagnostics.evidence.told_facts import told_answer
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.turn import StoredRequest
from bot.mind.own_refusals import OwnRefusal, earlier_refusal, earlier_skip

_REFUSING = frozenset({"declined", "instructed"})


def find_repeated(evidence: Evidence) -> tuple[StoredRequest, OwnRefusal] | None:
    """Return the request and the earlier refusal in it; None where it did not refuse, or another thing explains it."""
    asked, how = message(evidence), outcome(evidence)
    if asked is None or how not in {Outcome.SKIPPED, Outcome.REPLIED}:
        return None
    if how is Outcome.REPLIED:
        answer = told_answer(evidence)
        found = earlier_refusal(answer.request.record.request.messages, asked.id, answer.text) if answer else None
        return (answer.request, found) if answer is not None and found is not None else None
    request = _first_whole(evidence)
    skip = read_skip(evidence)
    if request is None or not skip.called or not (_is_addressed(asked) or skip.category in _REFUSING):
        return None
    if find_culprit(evidence) is not None:
        return None
    found = earlier_skip(request.record.request.messages, asked.id, skip.reason, skip.category)
    return (request, found) if found is not None else None


def turn_of(evidence: Evidence, inbound: int) -> int:
    """Return the turn that took a message, as far as the newest ones are known; 0 where it is not."""
    heard = (trail.inbound for trail in evidence.recent)
    known = next((one.turn for one in heard if inbound and one.id == inbound), 0)
    return known or next((turn.id for turn in evidence.recent_turns if inbound and inbound in turn.inbounds), 0)


def _first_whole(evidence: Evidence) -> StoredRequest | None:
    """Return the request in which it decided: the last one whose words are kept."""
    sent = evidence.turn.requests if evidence.turn is not None else ()
    return next((one for one in reversed(sent) if one.mark is None and one.record.words), None)


def _is_addressed(asked: StoredInbound) -> bool:
    heard = asked.inbound
    return heard.mentions_bot or heard.replies_to_bot or heard.place.is_dm
