"""Go back to what was: which of several people's changes are taken back, and what everything is then.

A change is taken back as long as nobody else has changed the same thing since; what others set stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from bot.domain.base import FrozenModel
from bot.domain.channel import ChannelSettings
from bot.domain.ids import AgentId, ChannelId, PersonKey, UserId
from bot.domain.revisions import (
    NOBODY,
    MemoryState,
    Revision,
    RevisionCause,
    RevisionKind,
    memory_state,
    settings_state,
    summary_state,
)

IsTheirs = Callable[[Revision], bool]
_NOT_TAKEN_BACK = frozenset({RevisionCause.FOUND, RevisionCause.MOVED, RevisionCause.WIPED, RevisionCause.ERASED})
"""What the program does by itself, and what is to stay: where a channel is, and that words are gone."""
_LISTS = ("skills", "tools_off", "admitted", "left_out")


class SubjectHistory(FrozenModel):
    """What became of one thing: the version `before` a time (None: there was none), and all of those `since`."""

    before: Revision | None
    since: tuple[Revision, ...]

    @property
    def newest(self) -> Revision:
        """What it is now."""
        return self.since[-1]


class RollbackStep(FrozenModel):
    """What one thing is to be: `state` and `words` as in a version. `number` is the version that it has now."""

    kind: RevisionKind
    subject: int
    number: int
    state: str
    words: str | None = None


class RollbackPlan(FrozenModel):
    """What has to be done to go back. `gone` memories cannot come back: their words are wiped, or their person is
    forgotten. `stuck` summaries stay as they are: what they stand for is not kept any more.
    """

    steps: tuple[RollbackStep, ...] = ()
    gone: int = 0
    stuck: int = 0

    def of(self, kind: RevisionKind) -> tuple[RollbackStep, ...]:
        """Return the steps of one kind."""
        return tuple(step for step in self.steps if step.kind is kind)


class RollbackScope(FrozenModel):
    """What is taken back: everything in some channels since a time (UTC ms), up to a version, or one person's part."""

    agent: AgentId
    channels: tuple[ChannelId, ...]
    since: int
    until: int
    platform: str = ""
    user: UserId = NOBODY

    @property
    def person(self) -> PersonKey | None:
        """Whose part it is; None: everybody's."""
        return PersonKey(self.platform, self.user) if self.user else None

    def is_theirs(self, revision: Revision) -> bool:
        """Say whether a version is to be taken back."""
        if revision.id > self.until:
            return False
        return not self.user or (revision.by.platform, revision.by.actor) == (self.platform, self.user)


class RollBack(FrozenModel):
    """Let memories, settings and summaries of some channels be what they were; the counts are those of the preview."""

    kind: Literal["roll_back"] = "roll_back"
    scope: RollbackScope
    memories: int
    settings: int
    summaries: int

    @property
    def agent(self) -> AgentId:
        """Whose channels they are."""
        return self.scope.agent

    @property
    def channels(self) -> tuple[ChannelId, ...]:
        """Where something is taken back."""
        return self.scope.channels


class UndoRollBack(FrozenModel):
    """Take a rollback back, or that again: by the versions that it made, from the first to the last."""

    kind: Literal["undo_roll_back"] = "undo_roll_back"
    agent: AgentId
    channels: tuple[ChannelId, ...]
    first: int
    last: int


_COUNTING = frozenset({RevisionCause.CONFIRMED, RevisionCause.ROLLED_BACK, RevisionCause.MERGED, RevisionCause.SPLIT})
"""After these it was said more or less often."""


def plan_rollback(histories: Iterable[SubjectHistory], is_theirs: IsTheirs) -> RollbackPlan:
    """Say what has to be done; things that are as they were need no step."""
    steps, gone = list[RollbackStep](), 0
    for history in histories:
        if not any(is_theirs(one) and one.cause not in _NOT_TAKEN_BACK for one in history.since):
            continue
        if history.newest.kind is RevisionKind.MEMORY and _is_gone(history):
            gone += 1
            continue
        target = _target(history, is_theirs)
        if target is not None and target != (history.newest.state, history.newest.words):
            now = history.newest
            state, words = target
            steps.append(RollbackStep(kind=now.kind, subject=now.subject, number=now.number, state=state, words=words))
    return RollbackPlan(steps=tuple(steps), gone=gone)


def _is_gone(history: SubjectHistory) -> bool:
    now = history.newest.memory
    return now is None or now.wiped


def _target(history: SubjectHistory, is_theirs: IsTheirs) -> tuple[str, str | None] | None:
    match history.newest.kind:
        case RevisionKind.MEMORY:
            return _memory_target(history, is_theirs)
        case RevisionKind.SETTINGS:
            return _settings_target(history, is_theirs)
        case RevisionKind.SUMMARY:
            stood = bool(_taken_back(history, is_theirs, _summary_facets, {"stands": False})["stands"])
            return summary_state(stands=stood), None


def _memory_target(history: SubjectHistory, is_theirs: IsTheirs) -> tuple[str, str | None] | None:
    now = history.newest.memory
    if now is None:
        return None
    # one that was not there yet was as it came, and did not count
    absent = {**(_memory_facets(history.since[0]) or {}), "forgotten": True}
    changed = _taken_back(history, is_theirs, _memory_facets, absent)
    is_forgotten = changed.pop("forgotten", bool(now.forgotten_at))
    times = max(1, now.body.confirmed - _said_more(history, is_theirs))
    first = (history.before or history.since[0]).memory or now
    last = first.body.confirmed_at if times == first.body.confirmed else now.body.confirmed_at
    # every value comes from a version of it
    body = now.body.model_copy(update={**changed, "confirmed": times, "confirmed_at": last})
    # when it was forgotten does not matter for what it is: the time to bring it back begins anew
    forgotten_at = (now.forgotten_at or history.newest.at) if is_forgotten else 0
    return memory_state(body, forgotten_at, wiped=False), history.newest.words


def _said_more(history: SubjectHistory, is_theirs: IsTheirs) -> int:
    """Count how much oftener it was said in what is taken back."""
    more, last = 0, _confirmed(history.before)
    for one in history.since:
        times = _confirmed(one)
        if one.cause in _COUNTING and is_theirs(one):
            more += times - last
        last = times
    return more


def _confirmed(revision: Revision | None) -> int:
    state = revision.memory if revision is not None else None
    return state.body.confirmed if state is not None else 1


def _settings_target(history: SubjectHistory, is_theirs: IsTheirs) -> tuple[str, str | None] | None:
    now = history.newest.settings
    if now is None or history.before is None or history.before.settings is None:
        return None
    before = history.before.settings
    if all(is_theirs(one) and one.cause not in _NOT_TAKEN_BACK for one in history.since):
        return settings_state(before)
    return settings_state(with_facets(now, before, _taken_back(history, is_theirs, _settings_facets, {})))


Facets = Callable[[Revision], Mapping[str, Any] | None]


def _taken_back(
    history: SubjectHistory, is_theirs: IsTheirs, facets: Facets, absent: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what each part becomes: of those whose last change is theirs, what it was before they changed it."""
    seen = [facets(history.before) if history.before is not None else absent]
    seen += [facets(one) for one in history.since]
    states = [one if one is not None else {} for one in seen]
    changed = dict[str, Any]()
    for name in dict.fromkeys(name for state in states for name in state):
        value = states[-1].get(name)
        for at in range(len(history.since), 0, -1):
            was = states[at - 1].get(name)
            if states[at].get(name) == was:
                continue
            one = history.since[at - 1]
            if not is_theirs(one) or one.cause in _NOT_TAKEN_BACK:
                break
            value = was
        if value != states[-1].get(name) or name == "stands":
            changed[name] = value
    return changed


def _memory_facets(revision: Revision) -> Mapping[str, Any] | None:
    state = revision.memory
    if state is None:
        return None
    body = state.body
    return {"forgotten": bool(state.forgotten_at), "type": body.type, "importance": body.importance}


def _summary_facets(revision: Revision) -> Mapping[str, Any]:
    return {"stands": revision.stands}


def _settings_facets(revision: Revision) -> Mapping[str, Any] | None:
    return settings_facets(revision.settings) if revision.settings is not None else None


def settings_facets(settings: ChannelSettings) -> dict[str, Any]:
    """Return what is set, by the name of each part; of lists each entry by itself."""
    facets: dict[str, Any] = {
        "mode": (settings.mode, settings.mode_by, settings.mode_at),
        "pause": settings.pause,
        "model": settings.model,
        "unrecorded": settings.unrecorded,
        "is_admitted": settings.is_admitted,
    }
    facets |= {f"skills:{name}": on for name, on in settings.skills}
    facets |= {f"tools_off:{name}": True for name in settings.tools_off}
    facets |= {f"admitted:{user}": True for user in settings.admitted}
    facets |= {f"left_out:{one.handle}:{one.digest}": one for one in settings.left_out}
    return facets


def with_facets(now: ChannelSettings, before: ChannelSettings, changed: Mapping[str, Any]) -> ChannelSettings:
    """Return what is set now with some parts as they were; entries of lists stand where they stood."""
    plain = {name: value for name, value in changed.items() if ":" not in name and name != "mode"}
    if "mode" in changed:
        plain["mode"], plain["mode_by"], plain["mode_at"] = changed["mode"]
    facets = {name: value for name, value in settings_facets(now).items() if ":" in name}
    facets |= {name: value for name, value in changed.items() if ":" in name}
    order = [*settings_facets(before), *settings_facets(now)]
    kept = [name for name in dict.fromkeys(order) if facets.get(name) is not None]
    lists = {kind: list(_entries(kind, kept, facets)) for kind in _LISTS}
    lists["skills"].sort()
    lists["tools_off"].sort()
    return now.replace(**plain, **lists)


def _entries(kind: str, names: Sequence[str], facets: Mapping[str, Any]) -> Iterator[Any]:
    for name in names:
        if name.startswith(f"{kind}:"):
            rest = name.removeprefix(f"{kind}:")
            match kind:
                case "skills":
                    yield rest, facets[name]
                case "left_out":
                    yield facets[name]
                case _:
                    yield rest


def settings_changes(before: ChannelSettings, after: ChannelSettings) -> dict[str, tuple[Any, Any]]:
    """Return the parts of what is set that differ, as they were and as they are."""
    was, is_now = settings_facets(before), settings_facets(after)
    names = dict.fromkeys((*was, *is_now))
    return {name: (was.get(name), is_now.get(name)) for name in names if was.get(name) != is_now.get(name)}


def counts_then(state: MemoryState | None) -> bool:
    """Say whether a memory counted in a version."""
    return state is not None and not state.forgotten_at
