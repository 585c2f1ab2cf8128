"""Change something from the page: by the commands and buttons of the chat, with preview, confirmation and undo."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.cortex.commands.cortex_command import CommandSources, PageCommand, right_of
from bot.cortex.commands.parser import parse
from bot.cortex.fixes.fix_runner import PressResult
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.sessions import button_signing
from bot.cortex.sessions.buttons import OFFER_VERBS
from bot.cortex.sessions.session_threads import SessionThreads
from bot.cortex.sessions.thread_poster import person_of
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import ResolvedTarget, TargetChannel, key_of
from bot.domain.access import AccessRight, Caller
from bot.domain.finding import StoredSession
from bot.domain.ids import ChannelId, ChannelKey, PersonKey
from bot.domain.messages import ButtonPress
from bot.errors import DeliveryError, UserError
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.lru_cache import LRUCache
from bot.sentences import say
from bot.text.times import plain_times
from bot.window.remembered import pieces_of
from bot.window.talk import named
from bot.window.visit import Visit

OFFERED = frozenset(
    {
        "fix", "fix mode", "fix model", "fix tool", "fix skill", "fix new", "fix compact", "fix answer", "fix retry",
        "fix allow", "fix cooldown", "fix resume", "fix tell", "memory forget", "memory restore", "memory spread",
        "compactions undo", "cancel", "undo", "prove",
    }
)  # fmt: skip
"""Commands that a page has a button for: each shows its effect first, and changes nothing before it is confirmed."""
_MAX_LINE_CHARS = 200
_MAX_SESSIONS = 200

Press = Callable[[ButtonPress], Awaitable[PressResult]]


@dataclass(frozen=True, kw_only=True, eq=False)
class PageChanges:
    """Offers in the thread of a talk that the page opens for it: what comes of a change later is said there."""

    store: Store
    threads: SessionThreads
    platforms: Mapping[str, Platform]
    commands: CommandSources
    press: Press
    _talks: LRUCache[tuple[PersonKey, ChannelKey], int] = field(
        init=False, default_factory=lambda: LRUCache(_MAX_SESSIONS)
    )

    async def offer(self, visit: Visit, line: str) -> dict[str, Any]:
        """Show what a command would change, with the buttons that do it; raise UserError with the reason why not."""
        visit.check_admin()
        command = parse(line) if len(line) <= _MAX_LINE_CHARS else None
        if command is None or not isinstance(command.form, PageCommand) or command.form.name not in OFFERED:
            raise UserError(render("cortex/page_changes", kind="elsewhere"))
        target = await self._target(visit, command.args.where, right_of(command))
        caller = await self._named(visit)
        session = await self._talk(caller, target.target)
        talk = SessionContext(caller, session, target.target, target.meant)
        return _shown(target.target, await command.form.run(talk, command.args, self.commands))

    async def pressed(self, visit: Visit, data: str) -> dict[str, Any]:
        """Do what a button asks for, if it was made for this person, who has the right to it now."""
        visit.check_admin()
        session, channel = await self._made_for(data)
        if session is None or person_of(session) != visit.caller.person:
            raise UserError(say("cortex.not-ours"))
        caller = await self._named(visit)
        done = await self.press(ButtonPress(person=caller.person, name=caller.name, channel=channel, data=data))
        target = await visit.sources.targets.of(key_of(session.body.agent, session.body.target))
        may = target is not None and await visit.sources.targets.may_inspect(caller.person, target)
        return _shown(target if may else None, done.said or ThreadReply(""), done.answer)

    async def _target(self, visit: Visit, where: str, right: AccessRight) -> ResolvedTarget:
        return await visit.find(where or visit.query.get("of", ""), right)

    async def _named(self, visit: Visit) -> Caller:
        """Return who looks, by the name that they had when they asked for the page."""
        before = await self.store.sessions.of_person(visit.caller.person, 1)
        name = before[0].body.actor_name if before else visit.caller.name
        return visit.sources.targets.caller(visit.caller.person, name)

    async def _talk(self, caller: Caller, target: TargetChannel) -> StoredSession:
        """Go on in the thread that was opened for this channel from the page, or open one."""
        known = self._talks.get((caller.person, target.key))
        session = await self.store.sessions.get(known) if known else None
        if session is not None:
            return session
        platform = self.platforms.get(caller.person.platform)
        if platform is None:
            raise UserError(render("cortex/page_changes", kind="unreachable"))
        try:
            session = await self.threads.open(
                platform, caller, target, texts.title(target, say("window.changes-from-the-page"))
            )
        except DeliveryError as error:
            raise UserError(render("cortex/page_changes", kind="unreachable")) from error
        self._talks.put((caller.person, target.key), session.id)
        return session

    async def _made_for(self, data: str) -> tuple[StoredSession | None, ChannelId]:
        """Return in which talk a button stands, and in which chat; nothing of it is believed yet."""
        signed = button_signing.read(data)
        if signed is None:
            return None, ChannelId("")
        if signed.verb in OFFER_VERBS:
            proposal = await self.store.offers.get(signed.id.hex())
            if proposal is None:
                return None, ChannelId("")
            return await self.store.sessions.get(proposal.body.session), proposal.body.channel
        session = await self.store.sessions.get(signed.session)
        return session, session.body.dm_channel if session is not None else ChannelId("")


def _shown(target: TargetChannel | None, said: ThreadReply, answer: str = "") -> dict[str, Any]:
    return {
        "screen": "offer",
        "channel": named(target) if target is not None else None,
        "answer": plain_times(answer),
        "pieces": [piece for text in (said.text, *said.more) for piece in pieces_of(plain_times(text))],
        "buttons": [{"label": one.label, "data": one.data} for one in said.buttons],
    }
