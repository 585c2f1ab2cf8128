"""Fixes that change what is set for a channel: what each needs, what it makes of it, what takes it back."""

from __future__ import annotations

from typing import Literal

from bot.domain.base import FrozenModel
from bot.domain.channel import ChannelPause, ChannelSettings, ResponseMode
from bot.domain.ids import ChannelId, UserId


class SettingFix(FrozenModel):
    """What changes the settings of one channel and nothing else; `by` is who wants it."""

    channel: ChannelId

    def fits(self, settings: ChannelSettings) -> bool:
        """Say whether the settings are still those that it was proposed for."""
        raise NotImplementedError

    def changed(self, settings: ChannelSettings, at: int) -> ChannelSettings:
        """Return the settings as they are with it."""
        raise NotImplementedError

    def inverse(self) -> SettingFix:
        """Return what takes it back."""
        raise NotImplementedError


class PauseAgain(SettingFix):
    """Let a pause stand again that was ended with a button, or end it once more."""

    kind: Literal["pause_again"] = "pause_again"
    pause: ChannelPause
    on: bool = True

    def fits(self, settings: ChannelSettings) -> bool:
        return settings.pause is None if self.on else settings.pause == self.pause

    def changed(self, settings: ChannelSettings, at: int) -> ChannelSettings:
        return settings.replace(pause=self.pause if self.on else None)

    def inverse(self) -> PauseAgain:
        return self.replace(on=not self.on)


class SetMode(SettingFix):
    """Let a channel answer in another mode; without a `by` nobody set it, and it follows the configuration."""

    kind: Literal["set_mode"] = "set_mode"
    mode: ResponseMode
    by: UserId | None
    was: ResponseMode
    was_by: UserId | None

    def fits(self, settings: ChannelSettings) -> bool:
        return (settings.mode, settings.mode_by) == (self.was, self.was_by)

    def changed(self, settings: ChannelSettings, at: int) -> ChannelSettings:
        return settings.replace(mode=self.mode, mode_by=self.by, mode_at=at if self.by else 0)

    def inverse(self) -> SetMode:
        return self.replace(mode=self.was, by=self.was_by, was=self.mode, was_by=self.by)


class SetModel(SettingFix):
    """Let another model answer in a channel; an empty name is the usual one."""

    kind: Literal["set_model"] = "set_model"
    model: str
    was: str

    def fits(self, settings: ChannelSettings) -> bool:
        return settings.model == self.was

    def changed(self, settings: ChannelSettings, at: int) -> ChannelSettings:
        return settings.replace(model=self.model)

    def inverse(self) -> SetModel:
        return self.replace(model=self.was, was=self.model)


class SwitchSkill(SettingFix):
    """Switch a skill on or off in a channel; None is as the configuration has it."""

    kind: Literal["switch_skill"] = "switch_skill"
    skill: str
    on: bool | None
    was: bool | None

    def fits(self, settings: ChannelSettings) -> bool:
        return settings.switches.get(self.skill) is self.was

    def changed(self, settings: ChannelSettings, at: int) -> ChannelSettings:
        switches = {name: on for name, on in settings.skills if name != self.skill}
        if self.on is not None:
            switches[self.skill] = self.on
        return settings.replace(skills=tuple(sorted(switches.items())))

    def inverse(self) -> SwitchSkill:
        return self.replace(on=self.was, was=self.on)


class SwitchTool(SettingFix):
    """Switch a tool off in a channel, or on again."""

    kind: Literal["switch_tool"] = "switch_tool"
    tool: str
    on: bool

    def fits(self, settings: ChannelSettings) -> bool:
        return (self.tool in settings.tools_off) is self.on

    def changed(self, settings: ChannelSettings, at: int) -> ChannelSettings:
        others = tuple(name for name in settings.tools_off if name != self.tool)
        return settings.replace(tools_off=others if self.on else tuple(sorted((*others, self.tool))))

    def inverse(self) -> SwitchTool:
        return self.replace(on=not self.on)


class AdmitPerson(SettingFix):
    """Let somebody in here whom a list of the configuration keeps out, or leave it to the lists again."""

    kind: Literal["admit_person"] = "admit_person"
    user: UserId
    on: bool = True

    def fits(self, settings: ChannelSettings) -> bool:
        return (self.user in settings.admitted) is not self.on

    def changed(self, settings: ChannelSettings, at: int) -> ChannelSettings:
        others = tuple(user for user in settings.admitted if user != self.user)
        return settings.replace(admitted=(*others, self.user) if self.on else others)

    def inverse(self) -> AdmitPerson:
        return self.replace(on=not self.on)


class AdmitChannel(SettingFix):
    """Answer in a channel that a list of the configuration keeps out, or leave it to the lists again."""

    kind: Literal["admit_channel"] = "admit_channel"
    on: bool = True

    def fits(self, settings: ChannelSettings) -> bool:
        return settings.is_admitted is not self.on

    def changed(self, settings: ChannelSettings, at: int) -> ChannelSettings:
        return settings.replace(is_admitted=self.on)

    def inverse(self) -> AdmitChannel:
        return self.replace(on=not self.on)
