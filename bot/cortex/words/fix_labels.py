"""What the buttons of fixes say, and what they change is called, for settings and for what the running bot does."""

from __future__ import annotations

from typing import assert_never

from bot.domain.channel import ResponseMode
from bot.domain.finding import (
    AnswerWaiting,
    AskModelAgain,
    CompactNow,
    LiveFix,
    NewConversation,
    OldConversation,
    ReloadTools,
)
from bot.domain.memory_file import ImportMemories
from bot.domain.rollback import RollBack, UndoRollBack
from bot.domain.setting_fixes import (
    AdmitChannel,
    AdmitPerson,
    PauseAgain,
    SetMode,
    SetModel,
    SettingFix,
    SwitchSkill,
    SwitchTool,
)
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import minute

_MODE_LABELS = {
    ResponseMode.ACTIVE: "fix_labels.mode-active",
    ResponseMode.MENTION_ONLY: "fix_labels.mode-mention-only",
    ResponseMode.OBSERVE: "fix_labels.mode-observe",
}
_MODE_DONE = {
    ResponseMode.ACTIVE: "fix_labels.answers-all",
    ResponseMode.MENTION_ONLY: "fix_labels.answers-addressed",
    ResponseMode.OBSERVE: "fix_labels.answers-nothing",
}
_MAX_MODEL_CHARS = 40
_MAX_NAME_CHARS = 40


def messages_word(count: int) -> str:
    """Count messages in words."""
    return say("fix_labels.messages", count=count)


def memories_word(count: int) -> str:
    """Count memories in words."""
    return say("fix_labels.memories", count=count)


def setting_name(fix: SettingFix) -> str:
    """Name what a fix sets."""
    match fix:
        case PauseAgain():
            return say("fix_labels.the-pause")
        case SetMode():
            return say("fix_labels.the-mode")
        case SetModel():
            return say("fix_labels.the-model")
        case SwitchSkill(skill=name):
            return say("fix_labels.skill", name=one_line_name(name, _MAX_NAME_CHARS))
        case SwitchTool(tool=name):
            return say("fix_labels.tool", name=one_line_name(name, _MAX_NAME_CHARS))
        case AdmitPerson(user=user):
            return say("fix_labels.id", user=user)
        case _:
            return say("fix_labels.the-channel")


def setting_label(fix: SettingFix, where: str) -> str:
    """Say on a button what a fix sets."""
    match fix:
        case PauseAgain(on=on):
            return say("fix_labels.pause-on" if on else "fix_labels.pause-off", place=where)
        case SetMode(mode=mode):
            return say(_MODE_LABELS[mode], place=where)
        case SetModel(model=model) if model:
            return say("fix_labels.use-model", model=one_line_name(model, _MAX_MODEL_CHARS), place=where)
        case SetModel():
            return say("fix_labels.use-usual-model", place=where)
        case SwitchSkill(skill=skill, on=None):
            return say("fix_labels.skill-as-usual", name=one_line_name(skill, _MAX_NAME_CHARS), place=where)
        case SwitchSkill(skill=name, on=on):
            return say("fix_labels.switch-skill", name=one_line_name(name, _MAX_NAME_CHARS), on=_on(on), place=where)
        case SwitchTool(tool=name, on=on):
            return say("fix_labels.switch-tool", name=one_line_name(name, _MAX_NAME_CHARS), on=_on(on), place=where)
        case AdmitPerson(user=user, on=on):
            return say("fix_labels.let-person-in" if on else "fix_labels.leave-person", user=user)
        case AdmitChannel(on=True):
            return say("fix_labels.answer-place", place=where)
        case _:
            return say("fix_labels.leave-place", place=where)


def setting_done(fix: SettingFix, where: str) -> str:
    """Say what holds now."""
    match fix:
        case PauseAgain(on=on):
            return say("fix_labels.paused" if on else "fix_labels.resumed", place=where)
        case SetMode(mode=mode):
            return say(_MODE_DONE[mode])
        case SetModel(model=model) if model:
            return say("fix_labels.model-answers", model=one_line_name(model, _MAX_MODEL_CHARS))
        case SetModel():
            return say("fix_labels.usual-model-answers")
        case SwitchSkill(skill=name, on=None):
            return say("fix_labels.skill-configured", name=one_line_name(name, _MAX_NAME_CHARS))
        case SwitchSkill(skill=name, on=on):
            return say("fix_labels.skill-is", name=one_line_name(name, _MAX_NAME_CHARS), on=_on(on))
        case SwitchTool(tool=name, on=on):
            return say("fix_labels.tool-is", name=one_line_name(name, _MAX_NAME_CHARS), on=_on(on))
        case AdmitPerson(user=user, on=on):
            return say("fix_labels.person-let-in" if on else "fix_labels.person-left", user=user)
        case AdmitChannel(on=True):
            return say("fix_labels.place-let-in", place=where)
        case _:
            return say("fix_labels.place-left", place=where)


def rollback_name(fix: RollBack | UndoRollBack | ImportMemories) -> str:
    """Name what a rollback changes, or what is taken in."""
    if isinstance(fix, ImportMemories):
        return say("fix_labels.memories-of-file", count=fix.count)
    if isinstance(fix, UndoRollBack):
        return say("fix_labels.the-rollback")
    since = minute(fix.scope.since)
    if fix.scope.user:
        return say("fix_labels.changes-since-by", time=since, user=fix.scope.user)
    return say("fix_labels.changes-since", time=since)


def rollback_label(fix: RollBack | UndoRollBack | ImportMemories) -> str:
    """Say on a button that something is to be as it was, or to be taken in."""
    if isinstance(fix, ImportMemories):
        return say("fix_labels.import-memories", count=fix.count)
    if isinstance(fix, UndoRollBack):
        return say("fix_labels.undo-rollback")
    return say("fix_labels.roll-back", count=fix.memories + fix.settings + fix.summaries)


def rollback_done(fix: RollBack | UndoRollBack) -> str:
    """Say what a rollback has done."""
    if isinstance(fix, UndoRollBack):
        return say("fix_labels.rollback-undone")
    since = minute(fix.scope.since)
    if fix.scope.user:
        return say("fix_labels.rolled-back-by", time=since, user=fix.scope.user)
    return say("fix_labels.rolled-back", time=since)


def live_name(fix: LiveFix) -> str:
    """Name what the running bot does something with."""
    match fix:
        case AnswerWaiting(rows=rows):
            return messages_word(len(rows))
        case AskModelAgain(model=model):
            return one_line_name(model, _MAX_MODEL_CHARS)
        case CompactNow():
            return say("fix_labels.the-history")
        case ReloadTools():
            return say("fix_labels.the-tools")
        case NewConversation() | OldConversation():
            return say("fix_labels.the-conversation")
        case _:
            assert_never(fix)


def live_label(fix: LiveFix, where: str) -> str:
    """Say on a button what the running bot is to do."""
    match fix:
        case AnswerWaiting(rows=rows):
            return say("fix_labels.answer-messages", count=len(rows))
        case AskModelAgain():
            return say("fix_labels.ask-model-again", model=live_name(fix))
        case CompactNow():
            return say("fix_labels.shorten", place=where)
        case ReloadTools():
            return say("fix_labels.reload-tools")
        case NewConversation():
            return say("fix_labels.start-over", place=where)
        case OldConversation():
            return say("fix_labels.bring-back")
        case _:
            assert_never(fix)


def _on(value: bool | None) -> str:
    return "on" if value else "off"
