"""Calls that answer interactions: the callback, the original response and follow-ups."""

from __future__ import annotations

from . import content, posting
from .ask import Ask
from .interaction import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL, Interaction
from .message import COMMAND as COMMAND_MESSAGE
from .message import DEFAULT, EPHEMERAL, LOADING, Message
from .permissions import may
from .refusals import ARCHIVED, Refused, invalid, unknown
from .sending import fields_of, revised
from .state import found
from .values import Json

PONG, MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, FORM = 1, 4, 5, 6, 7, 8, 9
ALLOWED = {
    COMMAND: (MESSAGE, DEFER, FORM),
    COMPONENT: (MESSAGE, DEFER, DEFER_UPDATE, UPDATE, FORM),
    AUTOCOMPLETE: (CHOICES,),
    MODAL: (MESSAGE, DEFER, DEFER_UPDATE, UPDATE),
}


def callback(ask: Ask) -> Json | None:
    """POST the first answer: in three seconds, and only once."""
    interaction = ask.world.interactions.get(ask.path["token"])
    if interaction is None or str(interaction.id) != ask.path["interaction"]:
        raise unknown("interaction")
    kind, data = ask.form.get("type"), ask.form.get("data") or {}
    if kind not in ALLOWED[interaction.kind]:
        raise invalid("type", "BASE_TYPE_CHOICES", f"Value must be one of {ALLOWED[interaction.kind]}.")
    _check_thread(interaction)
    if kind in (MESSAGE, UPDATE):
        content.check(ask.world, data, dict(ask.files))
    if kind == MESSAGE:
        content.check_substance(data, dict(ask.files))
    interaction.acknowledge(ask.form)
    message = _answered(ask, interaction, kind, data)
    return _response(ask, interaction, kind, message) if ask.query.get("with_response") in ("1", "true") else None


def get_original(ask: Ask) -> Json:
    """GET the original response."""
    return _original(ask).json(ask.bot)


def edit_original(ask: Ask) -> Json:
    """PATCH the original response; a deferred one appears by it."""
    interaction, message = _interaction(ask), _original(ask)
    _check_thread(interaction)
    return _loaded(ask, interaction, message)


def delete_original(ask: Ask) -> None:
    """DELETE the original response."""
    posting.remove(_original(ask))


def create_followup(ask: Ask) -> Json:
    """POST another message; the first one after a deferral takes the place of what was loading."""
    interaction = _interaction(ask)
    content.check(ask.world, ask.form, dict(ask.files))
    content.check_substance(ask.form, dict(ask.files))
    _check_thread(interaction)
    if interaction.is_loading:
        return _loaded(ask, interaction, _original(ask))
    return _shown(ask, interaction, ask.form).json(ask.bot)


def get_followup(ask: Ask) -> Json:
    """GET a follow-up."""
    return _followup(ask).json(ask.bot)


def edit_followup(ask: Ask) -> Json:
    """PATCH a follow-up."""
    return revised(ask, _followup(ask))


def delete_followup(ask: Ask) -> None:
    """DELETE a follow-up."""
    posting.remove(_followup(ask))


def _answered(ask: Ask, interaction: Interaction, kind: int, data: Json) -> Message | None:
    """Do what the callback says; return the message that it made or changed."""
    if kind == MESSAGE:
        interaction.original = _shown(ask, interaction, data)
    elif kind == DEFER:
        interaction.is_loading = True
        interaction.original = _shown(ask, interaction, {"flags": data.get("flags", 0)}, LOADING)
    elif kind in (DEFER_UPDATE, UPDATE):
        interaction.original = interaction.message
        if kind == UPDATE and interaction.message is not None:
            revised(Ask(ask.world, ask.bot, ask.path, ask.query, data, ask.files), interaction.message)
            interaction.messages[interaction.message.id] = interaction.message
    elif kind == FORM:
        interaction.modal = data
    return interaction.original if kind in (MESSAGE, DEFER, UPDATE) else None


def _shown(ask: Ask, interaction: Interaction, form: Json, more: int = 0) -> Message:
    channel = interaction.channel
    fields = fields_of(ask, channel, form)
    fields["flags"] |= more
    hidden = bool(fields["flags"] & EPHEMERAL)
    kind = COMMAND_MESSAGE if interaction.kind == COMMAND and interaction.original is None else DEFAULT
    fields |= {"kind": kind, "webhook": ask.bot.id, "application": ask.bot.id, "interaction": interaction.metadata()}
    fields["is_for"] = interaction.person if hidden else None
    message = posting.made(channel, ask.bot, form.get("content") or "", **fields)
    interaction.messages[message.id] = message
    return posting.place(message)


def _loaded(ask: Ask, interaction: Interaction, message: Message) -> Json:
    """Change the original response; if it was loading it no longer is."""
    body = revised(ask, message, flags=message.flags & ~LOADING)
    interaction.is_loading = False
    interaction.channel.world.changed.set()
    return body


def _response(ask: Ask, interaction: Interaction, kind: int, message: Message | None) -> Json:
    about: Json = {"id": str(interaction.id), "type": interaction.kind}
    if message is None:
        return {"interaction": about}
    about |= {"response_message_id": str(message.id), "response_message_loading": interaction.is_loading}
    about |= {"response_message_ephemeral": message.is_ephemeral}
    return {"interaction": about, "resource": {"type": kind, "message": message.json(ask.bot)}}


def _interaction(ask: Ask) -> Interaction:
    interaction = ask.world.interactions.get(ask.path["token"])
    if interaction is None or str(interaction.bot.id) != ask.path["application"]:
        raise unknown("Webhook")
    interaction.check_token()
    return interaction


def _original(ask: Ask) -> Message:
    original = _interaction(ask).original
    if original is None or original.is_deleted:
        raise unknown("Message")
    return original


def _followup(ask: Ask) -> Message:
    message = found(_interaction(ask).messages, ask.path["message"], "Message")
    if message.is_deleted:
        raise unknown("Message")
    return message


def _check_thread(interaction: Interaction) -> None:
    thread = interaction.channel
    if thread.is_archived and thread.is_locked and not may(thread, interaction.bot, "manage_threads"):
        raise Refused(403, *ARCHIVED[1:])
