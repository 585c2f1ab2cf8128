"""What a page lists is written once, and is not sent to who has it."""

from __future__ import annotations

from bot.sentences import speaking
from bot.window.page_pieces import PieceWriter

ROW = {"of": "main/x", "name": "#x", "id": "x", "agent": "main", "private": False, "inspects": False}


async def test_a_piece_is_cleaned_and_written_once_and_another_one_has_another_version():
    cleaned = []

    def clean(items):
        cleaned.extend(one["name"] for one in items)
        return [{**one, "name": one["name"].replace("secret", "[redacted]")} for one in items]

    writer, rows = PieceWriter(clean), [ROW, {**ROW, "name": "a <b> secret"}]
    first, second = await writer.rendered("window/overview_row", rows)
    assert "a &lt;b&gt; [redacted]" in second.html and "secret" not in second.html
    assert first.version != second.version and cleaned == ["#x", "a <b> secret"]
    assert await writer.rendered("window/overview_row", rows[::-1]) == [second, first]
    assert len(cleaned) == 2


async def test_of_what_somebody_has_the_version_alone_is_sent():
    writer = PieceWriter(lambda items: items)
    (had,) = await writer.rendered("window/overview_row", [ROW])
    rows = [{**ROW, "name": "#y"}, ROW]
    new, same = await writer.rendered("window/overview_row", rows, [had.version, "nothing"])
    assert (same.version, same.html) == (had.version, "") and "#y" in new.html


async def test_a_piece_in_one_language_is_not_shown_in_another():
    writer = PieceWriter(lambda items: items)
    for _ in range(2):
        pages = {}
        for language in ("en", "de", "en"):
            with speaking(language):
                (pages[language],) = await writer.rendered("window/overview_row", [ROW])
        assert "you may look through its memories" in pages["en"].html
        assert "seine Erinnerungen darfst du durchsehen" in pages["de"].html
    with speaking("de"):
        (piece,) = await writer.rendered("window/overview_row", [ROW], [pages["en"].version])
    assert piece.html == pages["de"].html
