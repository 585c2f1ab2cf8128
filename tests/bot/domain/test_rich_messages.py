"""A card or a poll is read back from its text, and from no other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.rich_messages import Card, CardField, Poll, RichLayout, lay_out

WORDS = st.text(min_size=1, max_size=12)
FIELDS = st.builds(CardField, name=WORDS, value=WORDS)
CARDS = st.builds(
    Card,
    title=WORDS,
    description=st.text(max_size=12),
    fields=st.lists(FIELDS, max_size=3).map(tuple),
    footer=st.text(max_size=12),
    colour=st.sampled_from(["grey", "blue"]),
)
POLLS = st.builds(
    Poll,
    question=WORDS,
    options=st.lists(WORDS, min_size=2, max_size=4).map(tuple),
    hours=st.integers(1, 720),
    several=st.booleans(),
)


@given(CARDS | POLLS)
def test_what_was_laid_out_is_read_back_also_from_a_store(rich: Card | Poll) -> None:
    text, layout = lay_out(rich)
    kept = RichLayout.model_validate_json(layout.model_dump_json())
    assert kept.read(text) == rich
    # whoever wipes or shortens the text has wiped the card
    assert kept.read("") is None and kept.read(text[:-1]) is None


def test_a_card_reads_well_as_text() -> None:
    card = Card(title="Tea", description="Green.", fields=(CardField(name="Price", value="2"),), footer="Enjoy")
    assert lay_out(card).text == "**Tea**\n\nGreen.\n\n**Price**\n2\n\nEnjoy"
    assert lay_out(Poll(question="Tea?", options=("Yes", "No"), hours=1)).text == "📊 **Tea?**\n\n1. Yes\n2. No"
