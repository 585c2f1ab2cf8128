"""What a proof is about: a recorded request, what came of it, and the parts that are suspected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.domain.channel import ProcessKind
from bot.domain.finding import ProveCause
from bot.domain.ids import ChannelKey
from bot.domain.llm import ModelName
from bot.domain.messages import Role
from bot.domain.turn import StoredRequest
from bot.errors import UserError
from bot.inspect.diff.find_words import SourcedLine, SourceKind, WordSource
from bot.mind.proof.proof_values import ProofTask
from bot.mind.source_ranking import rank_sources, shared_words
from bot.ports.journal import Journal
from bot.prompts import render
from bot.replay.replayed_decision import DecisionKind, ReplayedDecision
from bot.replay.replayer import KnownNow, PreparedReplay, Replayer
from bot.replay.request_parts import PartKind, ReplayPart
from bot.replay.said_words import says
from bot.sentences import say

_MAX_SUSPECTS = 3
_LEAVES = frozenset({PartKind.LINE, PartKind.MEMORY, PartKind.MESSAGE, PartKind.SUMMARY})


class ProofPlan(NamedTuple):
    """A proof that can begin. `words` are those of an answer that are in question (empty: none)."""

    fix: ProveCause
    replay: PreparedReplay
    decision: ReplayedDecision
    task: ProofTask

    @property
    def key(self) -> ChannelKey:
        """The channel that it is about."""
        return ChannelKey(self.replay.record.agent, self.replay.record.channel)

    @property
    def suspect(self) -> ReplayPart | None:
        """The part that is tried first."""
        return self.part(self.fix.suspects[0]) if self.fix.suspects else None

    def part(self, name: str) -> ReplayPart | None:
        """Return a part by its name."""
        return self.replay.parts.by_id.get(name)


@dataclass(frozen=True)
class ProofPlanner:
    """Plans proofs; no model is asked. `known` says which tools and skills the program has now."""

    replayer: Replayer
    journal: Journal
    known: Callable[[], KnownNow]

    async def replay(self, row: int, key: ChannelKey, model: ModelName | None = None) -> PreparedReplay:
        """Return a request of a channel, ready to be asked again; raise UserError that says why it cannot be."""
        stored = await self.journal.request(row)
        if stored is None or ChannelKey(stored.record.agent, stored.record.channel) != key:
            raise UserError(say("cortex.no-such-record"))
        if stored.record.kind is not ProcessKind.CHANNEL:
            raise UserError(say("cortex.not-the-channels"))
        return self.prepared(stored, model)

    def prepared(self, stored: StoredRequest, model: ModelName | None = None) -> PreparedReplay:
        """Return a request, ready to be asked again; raise UserError that says why it cannot be."""
        return self.replayer.prepared(stored, self.known(), model)

    def planned(self, replay: PreparedReplay, suspects: Sequence[str], words: str, runs: int) -> ProofPlan:
        """Return what is to be proven; raise UserError where there is nothing to prove."""
        decided = replay.decision()
        if decided is None:
            raise UserError(render("cortex/proof_refused", kind="no_answer"))
        if decided.kind is DecisionKind.REPLIED:
            words = words or _words_in_question(replay, suspects)
            if not words:
                raise UserError(render("cortex/proof_refused", kind="which_words"))
        else:
            words = ""
        decision = replay.decision(words)
        assert decision is not None
        if decision.says is False:
            raise UserError(render("cortex/proof_refused", kind="not_said"))
        known = tuple(one for one in dict.fromkeys(suspects) if one in replay.parts.by_id)
        known = known or _where_said(replay, words)
        fix = ProveCause(request=replay.stored.id, suspects=known, words=words, runs=runs)
        task = ProofTask(
            parts=replay.parts.tree,
            decision=decision.name,
            together=replay.parts.together,
            roles_alternate=True,
            suspects=known,
            max_runs=runs,
            seed=replay.stored.id,
        )
        return ProofPlan(fix, replay, decision, task)

    async def again(self, fix: ProveCause, key: ChannelKey) -> ProofPlan:
        """Return the plan of something that was offered, as it is now."""
        return self.planned(await self.replay(fix.request, key), fix.suspects, fix.words, fix.runs)


def _said(stored: StoredRequest) -> str:
    response = stored.response
    return "\n".join((response.text, *(call.arguments for call in response.calls))) if response else ""


def _lines(replay: PreparedReplay) -> list[SourcedLine]:
    leaves = [part for part in replay.parts.every if part.kind in _LEAVES]
    return [SourcedLine(part.id, part.text, WordSource(_source_kind(part), part.id)) for part in leaves]


def _source_kind(part: ReplayPart) -> SourceKind:
    """Tell what the bot itself said, which it had from somewhere, from what others said."""
    if part.kind is PartKind.SUMMARY:
        return SourceKind.SUMMARY
    return SourceKind.ANSWER if part.name == Role.ASSISTANT.value else SourceKind.MESSAGE


def _where_said(replay: PreparedReplay, words: str) -> tuple[str, ...]:
    """Name the parts that say the words in question, the likeliest source of the answer first: they are tried first."""
    lines = [one for one in _lines(replay) if words and one.where != replay.parts.newest and says(one.text, words)]
    ranked = [one.where for one in rank_sources(_said(replay.stored), lines)]
    return tuple(dict.fromkeys((*ranked, *(line.where for line in lines))))[:_MAX_SUSPECTS]


def _words_in_question(replay: PreparedReplay, suspects: Sequence[str]) -> str:
    """Return the weightiest word that an answer shares with the first suspect, or with its likeliest source."""
    lines = _lines(replay)
    found = rank_sources(_said(replay.stored), lines)
    wanted = [one for one in found if one.where in suspects] or ([] if suspects else list(found[:1]))
    return " ".join(shared_words(wanted[0], 1)) if wanted else ""
