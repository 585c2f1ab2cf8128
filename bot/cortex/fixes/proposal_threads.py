"""Ask those who may decide, in private, whether what a branch would forget is to be forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog

from bot.config.schema import Config
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.session_threads import SessionThreads
from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.targets.texts import channel_word
from bot.cortex.words.quoting import by_model
from bot.domain.channel import ChannelState
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import PersonKey, platform_of
from bot.domain.messages import Button
from bot.errors import BotError, StoreError, name_of
from bot.ports.platform import Platform
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.tools.runtime.effects import ProposedForgetting

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ProposalThreads:
    """Opens a thread with each admin who may inspect the channel; what its button previews has to be confirmed."""

    config: Config
    platforms: Mapping[str, Platform]
    targets: TargetResolver
    threads: SessionThreads
    buttons: ButtonFactory
    post: ThreadPoster
    redactor: Redactor

    async def ask(self, where: ChannelState, turn: int, proposed: Sequence[ProposedForgetting]) -> None:
        """Ask everybody who may decide; one who cannot be reached keeps nobody else from it."""
        target = TargetChannel(where.key, where.name, where.place)
        platform = self.platforms.get(platform_of(where.id))
        table = self.config.platforms.get(platform_of(where.id))
        if platform is None or table is None:
            return
        people = dict.fromkeys((*table.owner_ids, *table.admin_ids))
        asked = (self._ask(platform, PersonKey(platform_of(where.id), user), target, proposed) for user in people)
        told = await asyncio.gather(*asked)
        log.info("forgetting_proposed", channel=str(where.key), turn=handle(HandleKind.TURN, turn), asked=sum(told))

    async def _ask(
        self, platform: Platform, person: PersonKey, target: TargetChannel, proposed: Sequence[ProposedForgetting]
    ) -> bool:
        try:
            if not await self.targets.may_inspect(person, target):
                return False
            with self.post.speaking_to(person):
                caller = self.targets.caller(person, "admin")
                session = await self.threads.open(platform, caller, target, say("offers.branch-title"))
                lines, buttons = [say("offers.branch-proposes", place=channel_word(target))], list[Button]()
                for one in proposed:
                    name = handle(HandleKind.MEMORY, one.memory)
                    lines.append(say("offers.because", handle=name, reason=by_model(one.reason, self.redactor, 200)))
                    label = say("offers.forget", handle=name)
                    buttons.append(self.buttons.row(session, ButtonVerb.PREVIEW_FORGET, label, one.memory))
                lines.append(say("offers.nothing-until"))
                await self.post.say(session, "\n".join(lines), tuple(buttons))
        except StoreError:
            raise
        except BotError as error:
            log.warning("proposal_not_delivered", platform=person.platform, error=name_of(error))
            return False
        return True
