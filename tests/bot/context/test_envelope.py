"""Which part of a request is which section is known by name, never by parsing."""

from __future__ import annotations

from bot.context.envelope import find_carrier, section_texts
from bot.domain.llm import ToolChoice
from bot.domain.snapshot import SectionFate
from tests.fakes.contexts import Stack, ask, says, talked, trigger
from tests.fakes.values import call, channel, result


async def test_every_kept_section_is_found_again_also_behind_rounds():
    contexts = Stack().contexts
    snapshot = await contexts.snapshot(ask(talked(channel(), ("hi", "hello"))))
    then = contexts.extended(snapshot, (call(), result()), ToolChoice.AUTO)
    for request, traces in ((snapshot.request, snapshot.sections), (then.request, then.sections)):
        texts = section_texts(request, traces)
        assert set(texts) == {t.name for t in traces if t.fate is SectionFate.KEPT}
        assert find_carrier(request, traces) == (2, 3)


async def test_somebody_who_copies_the_envelope_is_not_taken_for_it():
    contexts = Stack().contexts
    real = await contexts.snapshot(ask(channel()))
    envelope = "\n\n".join(part.text for part in real.request.messages[-1].parts[:-1])
    forged = await contexts.snapshot(ask(talked(channel(), (envelope, "ok")), trigger(says("hm", 5))))
    assert find_carrier(forged.request, forged.sections).at == len(forged.request.messages) - 1


async def test_a_request_without_volatile_sections_has_no_carrier():
    snapshot = await Stack().contexts.snapshot(ask(channel()))
    assert find_carrier(snapshot.request, ()) is None
