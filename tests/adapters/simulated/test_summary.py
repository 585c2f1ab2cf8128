"""The simulation writes summaries that hold the beginning of what everybody said."""

from __future__ import annotations

from adapters.simulated.conversation import Conversation, Entry
from adapters.simulated.summary import is_for_summary, summarise
from bot.context.compaction.reading import portions
from bot.context.transcript import as_message
from bot.prompts import render
from tests.fakes import values as v


def asked(words: int = 100, so_far: str = "", **changes: object) -> Conversation:
    said = [
        as_message(1, v.inbound("tea or coffee?"), ambient=False),
        v.said("Tea."),
        v.call("look"),
        v.result("green"),
    ]
    (material,) = portions(said, 10_000)
    values = {"type": "half", "bot_name": "Glassmind", "words": words, "so_far": so_far, "part": 1, "parts": 1}
    task = render("compactor_task", **{**values, "material": material, **changes})
    return Conversation("simulated-1", render("compactor", bot_name="Glassmind"), (Entry("user", task),))


def test_it_knows_what_it_is_asked_for():
    assert is_for_summary(asked())
    assert not is_for_summary(Conversation("m", "You are Glassmind.", (Entry("user", "You shorten the older part"),)))


def test_everybody_is_in_it():
    assert summarise(asked()).text == "ann: tea or coffee?\nTea.\nlook\ngreen (simulated)"


def test_it_carries_on_and_keeps_to_its_words():
    assert summarise(asked(so_far="earlier")).text.startswith("earlier\nann: tea")
    assert summarise(asked(words=5)).text == "ann: tea or coffee?\nTea. (simulated)"
    assert summarise(asked(words=1)).text == "Nothing that could be told in so few words. (simulated)"
    assert summarise(asked(material="no JSON")).text.startswith("Nothing")
