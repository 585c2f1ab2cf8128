"""The first owner: whoever brings the code of the terminal, once, in private; then they are shown a silence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from bot.config.owner_claim import CODE_START, OwnerClaim, claim_path, drop_claim, read_claim, write_owner
from bot.config.schema import Config
from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ID_BYTES, ButtonScope, ButtonVerb, SignedButton
from bot.domain.access import Authority, Caller
from bot.domain.finding import NewAudit
from bot.domain.messages import Button, ButtonPress, OutboundAddress
from bot.domain.turn import NewOutbox
from bot.errors import BotError, DeliveryError, UserError
from bot.ports.clock import Clock, Entropy
from bot.ports.cortex import CommandCall
from bot.ports.delivery import Delivery
from bot.ports.first_run import FirstRun, ShownSilence
from bot.ports.governance import AuditTrail
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import language_spoken, say, speaking

log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnerClaims:
    """Takes the code of `init`, as long as nobody owns the bot."""

    config: Config
    path: Path | None
    first_run: Callable[[], FirstRun | None]
    clock: Clock
    entropy: Entropy
    audit: AuditTrail
    delivery: Delivery
    key: bytes
    tasks: TaskSupervisor
    _taking: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _playing: set[str] = field(init=False, default_factory=set)

    @staticmethod
    def is_code(words: str) -> bool:
        """Say whether a `/start` brings the code of a terminal; whether it is the right one is asked elsewhere."""
        return words.startswith(CODE_START)

    async def take(self, call: CommandCall) -> str | None:
        """Make the bearer the owner; return what to tell them, which is empty where it was told with a button.

        In a group a wrong code is like any other word (None), and the right one is void: everybody has seen it.
        """
        if not call.stored.inbound.place.is_dm:
            return await self._seen_by_others(call)
        async with self._taking:
            try:
                await self._take(call)
            except UserError as error:
                log.info("claim_refused", user=call.caller.person.user_id, platform=call.caller.person.platform)
                return str(error)
        await self._offer(call)
        return ""

    async def _take(self, call: CommandCall) -> None:
        around = self.first_run()
        if any(table.owner_ids for table in self.config.platforms.values() if table.enabled):
            raise UserError(say("first_run.owned"))
        claim = await self._claim(call)
        if claim is None:
            raise UserError(say("first_run.wrong-code"))
        if claim.expires_at <= self.clock.now() or around is None or self.path is None:
            raise UserError(self._void("first_run.expired", "first_run.expired-of-several", claim))
        await self._write(call, claim, self.path, around)

    async def _claim(self, call: CommandCall) -> OwnerClaim | None:
        """Return the claim that is kept if these words are its code, on its platform."""
        claim = await asyncio.to_thread(read_claim, self.path) if self.path is not None else None
        if claim is None and self.path is not None and await asyncio.to_thread(claim_path(self.path).exists):
            # such as one that root wrote, for a bot that runs as somebody else
            log.warning("claim_unreadable", file=claim_path(self.path).name)
        is_right = claim is not None and claim.is_for(call.words.strip())
        return claim if claim is not None and is_right and claim.platform == call.caller.person.platform else None

    def _void(self, alone: str, of_several: str, claim: OwnerClaim) -> str:
        """Say that a code is good for nothing any more, and what is: `init --force` would leave out all other bots."""
        if len(self.config.platforms) == 1 or self.path is None:
            return say(alone)
        path = self.path
        return say(of_several, platform=claim.platform, file=path.name)

    async def _seen_by_others(self, call: CommandCall) -> str | None:
        async with self._taking:
            claim = await self._claim(call)
            if self.path is None or claim is None:
                return None
            await asyncio.to_thread(drop_claim, self.path)
        log.warning("claim_seen_by_others", user=call.caller.person.user_id, platform=call.caller.person.platform)
        return self._void("first_run.seen-by-others", "first_run.seen-by-others-of-several", claim)

    async def _write(self, call: CommandCall, claim: OwnerClaim, path: Path, around: FirstRun) -> None:
        person = call.caller.person
        try:
            await asyncio.to_thread(write_owner, path, claim.platform, person.user_id)
        except UserError as error:
            raise UserError(say("first_run.not-written", file=path.name, why=str(error))) from None
        await asyncio.to_thread(drop_claim, path)
        await self.audit.append(
            NewAudit(
                at=self.clock.now(),
                platform=person.platform,
                actor=person.user_id,
                actor_name=call.caller.name,
                action="owner claimed",
                target=call.stored.key.channel,
                detail=f"{path.name}: platforms.{claim.platform}.owner_ids",
            )
        )
        try:
            await around.read_again()
        except DeliveryError as error:
            # a platform's menu of commands is made anew at the next start
            log.info("menus_not_renewed", code=error.code)
        log.info("owner_claimed", user=person.user_id, platform=person.platform)

    async def _offer(self, call: CommandCall) -> None:
        """Greet the owner, and ask whether to show them a silence."""
        person, inbound = call.caller.person, call.stored.inbound
        is_taken = person.user_id in map(str, self.config.platforms[person.platform].owner_ids)
        scope = ButtonScope(person, inbound.channel)
        data = button_signing.sign(self.key, ButtonVerb.SHOW_SILENCE, self.entropy.token(ID_BYTES), scope)
        words = [say("first_run.yours" if is_taken else "first_run.yours-after-restart")]
        await self.delivery.say(
            NewOutbox(
                kind="command",
                to=self.delivery.home(inbound.channel),
                text="\n\n".join([*words, say("first_run.show-a-silence")]),
                inbound=call.stored.id,
                buttons=(Button(label=say("first_run.show"), data=data),),
            )
        )

    async def press(self, press: ButtonPress, signed: SignedButton, presser: Caller) -> str:
        """Begin to show a silence in the owner's own chat; return what to tell the presser."""
        if not button_signing.is_genuine(self.key, signed, ButtonScope(press.person, press.channel)):
            return say("cortex.no-right")
        around = self.first_run()
        if presser.authority < Authority.OWNER or around is None:
            return say("cortex.no-right")
        if press.channel in self._playing:
            return say("first_run.plays-already")
        self._playing.add(press.channel)
        self.tasks.spawn("silence", self._play(self.delivery.home(press.channel), around, language_spoken()))
        return say("first_run.begins")

    async def _play(self, to: OutboundAddress, around: FirstRun, language: str) -> None:
        try:
            with speaking(language):
                for part in _parts(await around.play()):
                    await self.delivery.say(NewOutbox(kind="command", to=to, text=part))
        except DeliveryError as error:
            log.info("silence_not_shown", code=error.code)
        except (BotError, OSError) as error:
            log.warning("silence_not_played", error_type=type(error).__name__, exc_info=error)
            with speaking(language), suppress(DeliveryError):
                await self.delivery.say(NewOutbox(kind="command", to=to, text=say("first_run.not-played")))
        finally:
            self._playing.discard(to.channel)


def _parts(shown: ShownSilence) -> Iterator[str]:
    yield say("first_run.play-begins")
    yield f"{say('first_run.a-member-is-ignored', place=shown.place)}\n```\n{shown.ignored}\n```"
    yield f"{say('first_run.the-rules-say')}\n\n{shown.report}"
    yield f"{say('first_run.it-is-forgotten')}\n```\n{shown.healed}\n```"
    yield say("first_run.play-ends")
