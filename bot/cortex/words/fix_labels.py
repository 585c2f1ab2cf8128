"""What the buttons of fixes say, and what they change is called, for settings and for what the running bot does."""

from __future__ import annotations

from typing import assert_never

from bot.domain.channel import ResponseMode
from bot.domain.finding import AnswerWaiting, AskModelAgain, CompactNow, LiveFix, NewConversation, OldConversation
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
from bot.text.figures import exact_number
from bot.text.text import one_line_name
from bot.text.times import minute

_MODE_LABELS = {
    ResponseMode.ACTIVE: "Answer every message in",
    ResponseMode.MENTION_ONLY: "Answer when addressed in",
    ResponseMode.OBSERVE: "Only read along in",
}
_MODE_DONE = {
    ResponseMode.ACTIVE: "Every message there is answered.",
    ResponseMode.MENTION_ONLY: "Who addresses the bot there is answered.",
    ResponseMode.OBSERVE: "Nothing there is answered.",
}
_MAX_MODEL_CHARS = 40


def messages_word(count: int) -> str:
    """Count messages in words."""
    return f"{exact_number(count)} message{'s' * (count != 1)}"


def setting_name(fix: SettingFix) -> str:
    """Name what a fix sets."""
    match fix:
        case PauseAgain():
            return "the pause"
        case SetMode():
            return "the mode"
        case SetModel():
            return "the model"
        case SwitchSkill(skill=name):
            return f"skill {one_line_name(name, 40)}"
        case SwitchTool(tool=name):
            return f"tool {one_line_name(name, 40)}"
        case AdmitPerson(user=user):
            return f"id {user}"
        case _:
            return "the channel"


def setting_label(fix: SettingFix, where: str) -> str:
    """Say on a button what a fix sets."""
    match fix:
        case PauseAgain(on=on):
            return f"{'Pause' if on else 'Resume'} {where}"
        case SetMode(mode=mode):
            return f"{_MODE_LABELS[mode]} {where}"
        case SetModel(model=model):
            return f"Use {one_line_name(model, _MAX_MODEL_CHARS) if model else 'the usual model'} in {where}"
        case SwitchSkill(on=None):
            return f"{setting_name(fix).capitalize()} as usual in {where}"
        case SwitchSkill(on=on) | SwitchTool(on=on):
            return f"Switch {'on' if on else 'off'} {setting_name(fix)} in {where}"
        case AdmitPerson(user=user, on=on):
            return f"Let id {user} in" if on else f"Leave id {user} to the lists"
        case AdmitChannel(on=True):
            return f"Answer in {where}"
        case _:
            return f"Leave {where} to the lists"


def setting_done(fix: SettingFix, where: str) -> str:
    """Say what holds now."""
    match fix:
        case PauseAgain(on=on):
            return f"{where} is {'paused' if on else 'resumed'}."
        case SetMode(mode=mode):
            return _MODE_DONE[mode]
        case SetModel(model=model):
            return (
                f"{one_line_name(model, _MAX_MODEL_CHARS) if model else 'The usual model'} answers there from now on."
            )
        case SwitchSkill(on=None):
            return f"{setting_name(fix).capitalize()} is as the configuration has it."
        case SwitchSkill(on=on) | SwitchTool(on=on):
            return f"{setting_name(fix).capitalize()} is {'on' if on else 'off'} there."
        case AdmitPerson(user=user, on=on):
            return f"Id {user} is {'let in there' if on else 'left to the lists again'}."
        case AdmitChannel(on=True):
            return f"{where} is let in, whatever the lists say."
        case _:
            return f"{where} is left to the lists again."


def rollback_name(fix: RollBack | UndoRollBack | ImportMemories) -> str:
    """Name what a rollback changes, or what is taken in."""
    if isinstance(fix, ImportMemories):
        return f"{exact_number(fix.count)} memor{'y' if fix.count == 1 else 'ies'} of a file"
    if isinstance(fix, UndoRollBack):
        return "the rollback"
    whose = f" by id {fix.scope.user}" if fix.scope.user else ""
    return f"what was changed since {minute(fix.scope.since)} UTC{whose}"


def rollback_label(fix: RollBack | UndoRollBack | ImportMemories) -> str:
    """Say on a button that something is to be as it was, or to be taken in."""
    if isinstance(fix, ImportMemories):
        return f"Take in {rollback_name(fix)}"
    if isinstance(fix, UndoRollBack):
        return "Undo the rollback"
    count = fix.memories + fix.settings + fix.summaries
    return f"Take {exact_number(count)} change{'s' * (count != 1)} back"


def rollback_done(fix: RollBack | UndoRollBack) -> str:
    """Say what a rollback has done."""
    return f"{rollback_name(fix)} is {'undone' if isinstance(fix, UndoRollBack) else 'taken back'}"


def live_name(fix: LiveFix) -> str:
    """Name what the running bot does something with."""
    match fix:
        case AnswerWaiting(rows=rows):
            return messages_word(len(rows))
        case AskModelAgain(model=model):
            return one_line_name(model, _MAX_MODEL_CHARS)
        case CompactNow():
            return "the history"
        case NewConversation() | OldConversation():
            return "the conversation"
        case _:
            assert_never(fix)


def live_label(fix: LiveFix, where: str) -> str:
    """Say on a button what the running bot is to do."""
    match fix:
        case AnswerWaiting():
            return f"Answer {live_name(fix)}"
        case AskModelAgain():
            return f"Ask {live_name(fix)} again"
        case CompactNow():
            return f"Shorten {where} now"
        case NewConversation():
            return f"Begin {where} anew"
        case OldConversation():
            return "Bring the old one back"
        case _:
            assert_never(fix)
