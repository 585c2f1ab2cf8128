"""Tables on Telegram: drawn by the app itself where the server takes rich messages, else as every chat draws them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest

from bot.domain.ledger import Outcome
from tests.dialogs.stores import OF_ONE_PROCESS
from tests.dialogs.telegram import AT, TelegramBot, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.servers.telegram import BadGateway, Drops, Flood, Message, Refuses
from tests.servers.telegram.rich_mode import words

TEAS = """Here:

| Tea | Command | More |
|:---|:---:|---:|
| **Earl Grey** | `brew -4` | [read](https://example.org/earl) |
| Sencha | `a\\|b` | - |

So it is, @james."""
TEAS_READ = (
    "Here:\n| Tea | Command | More |\n| Earl Grey | brew -4 | read |\n| Sencha | a|b | - |\nSo it is, @\u2060james."
)
TEAS_DRAWN = """Tea        Command  More
─────────  ───────  ────
Earl Grey  brew -4  read
Sencha       a|b       -
read"""
RICH, PLAIN, EDIT = "sendRichMessage", "sendMessage", "editMessageText"
NOT_THIS_ONE = Refuses(400, "Bad Request: RICH_MESSAGE_URL_INVALID")


@pytest.fixture
def model() -> ScriptedProvider:
    return ScriptedProvider(says(TEAS))


@pytest.fixture
async def bot(tmp_path, model) -> AsyncIterator[TelegramBot]:
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        yield bot


@pytest.fixture
async def old(tmp_path, model) -> AsyncIterator[TelegramBot]:
    """A bot whose server knows no rich messages."""
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        bot.world.switches.rich = False
        yield bot


def table_of(message: Message) -> list[list[str]]:
    """The words in the cells of its table."""
    (table,) = (block for block in message.json["rich_message"]["blocks"] if block["type"] == "table")
    return [[words(cell.get("text", "")) for cell in row] for row in table["cells"]]


def drawn(message: Message) -> str:
    assert "rich_message" not in message.json
    return message.text


def methods(bot: TelegramBot) -> list[str]:
    return [call.method for call in bot.sends()]


# where the server has them


async def test_a_table_is_a_table(bot, model):
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert answer.text == TEAS_READ and answer.reply_to
    here, table, end = answer.json["rich_message"]["blocks"]
    assert here == {"type": "paragraph", "text": "Here:"} and end["text"].endswith("@\u2060james.")
    assert table["is_bordered"] and table["is_striped"]
    assert table["cells"][0][1] == {"align": "center", "valign": "middle", "text": "Command", "is_header": True}
    grey, brew, read = table["cells"][1]
    assert grey == {"align": "left", "valign": "middle", "text": {"type": "bold", "text": "Earl Grey"}}
    assert brew["text"] == {"type": "code", "text": "brew -4"}
    assert read["text"] == {"type": "url", "text": "read", "url": "https://example.org/earl"}
    assert methods(bot) == [RICH]
    assert "A table is drawn as a table" in model.requests[-1].system_text


async def test_what_is_on_record_is_what_the_model_wrote(bot):
    await bot.hears(bot.ann, f"{AT} tea?")
    found = await bot.newest()
    assert (found.outcome, found.outcome_reason) == (Outcome.REPLIED, "")
    (row,) = await bot.store.outbox.of_inbound(found.id)
    assert "| **Earl Grey** | `brew -4` | [read](https://example.org/earl) |" in row.body.text
    report = "\n".join(message.text for message in await bot.hears(bot.root, "!cortex why"))
    assert "answered" in report, report


async def test_in_private_and_in_a_topic(bot):
    (private,) = await bot.hears(bot.ann, "tea?", bot.dm(bot.ann))
    assert len(table_of(private)) == 3
    forum = bot.world.supergroup("house", bot.root, bot.ann, bot.me, forum=True)
    tea = bot.world.topic(forum, "tea", bot.root)
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?", forum, topic=tea)
    assert len(table_of(answer)) == 3 and answer.thread == tea.id and answer.reply_to


async def test_what_stands_around_a_table_is_drawn_too(bot, model):
    model.script = [
        says(
            "# Teas & <more>\n\n- one\n- **two**\n  - three\n\n> said\n> again\n\n"
            "```py\nif a < b:\n    brew()\n```\n---\n"
            "| A | B |\n|---|---|\n| x |  |\n| y\\|z | w |"
        )
    ]
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    title, items, quote, code, line, _ = answer.json["rich_message"]["blocks"]
    assert title == {"type": "heading", "text": "Teas & <more>", "size": 1}
    assert words(items["text"]) == "- one\n- two\n\u00a0\u00a0- three"
    assert quote == {"type": "blockquote", "blocks": [{"type": "paragraph", "text": ["said", "\n", "again"]}]}
    assert code == {"type": "pre", "text": "if a < b:\n    brew()", "language": "py"}
    assert line["text"] == "─" * 12 and table_of(answer) == [["A", "B"], ["x", "\u00a0"], ["y|z", "w"]]


async def test_an_answer_without_a_table_goes_as_ever(bot, model):
    model.script = [says("**No** tables | here, `a|b` and\n\n---\n\n- no more")]
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert drawn(answer) and methods(bot) == [PLAIN]


async def test_a_long_table_is_cut_between_rows_and_has_its_head_in_every_part(bot, model):
    rows = "".join(f"| number {n} | what it is for, and for whom | {n * n} |\n" for n in range(80))
    model.script = [
        says(f"All of them:\n\n| The number | What it does here | Square |\n|---|---|--:|\n{rows}\nThat is all.")
    ]
    answers = await bot.hears(bot.ann, f"{AT} tea?")
    tables = [table_of(answer) for answer in answers if "rich_message" in answer.json]
    assert len(tables) > 1 and {tuple(table[0]) for table in tables} == {("The number", "What it does here", "Square")}
    assert [row[0] for table in tables for row in table[1:]] == [f"number {n}" for n in range(80)]
    assert answers[0].text.startswith("All of them:") and answers[-1].text.endswith("That is all.")
    assert sorted(answers, key=lambda answer: answer.id) == answers


async def test_words_before_a_table_come_before_it(bot, model):
    words_before = "\n\n".join(f"{n}. the kettle, and what it says about us" for n in range(110))
    model.script = [says(f"{words_before}\n\n{TEAS}")]
    first, second = await bot.hears(bot.ann, f"{AT} tea?")
    assert drawn(first).startswith("0. the kettle") and len(table_of(second)) == 3
    assert methods(bot) == [PLAIN, RICH] and first.reply_to


async def test_somebody_answers_a_table(bot, model):
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    model.script = [says("Sencha")]
    (more,) = await bot.hears(bot.ann, "which is best?", reply_to=answer)
    assert more.text == "Sencha"
    asked = model.requests[-1].messages[-1].texts[-1]
    assert '"words":"Here:\\n| Tea | Command | More |\\n| Earl Grey | brew -4 | read |' in asked, asked


# where it has none


@OF_ONE_PROCESS
async def test_the_server_is_asked_once(old):
    (answer,) = await old.hears(old.ann, f"{AT} tea?")
    assert TEAS_DRAWN in drawn(answer) and methods(old) == [RICH, PLAIN]
    (again,) = await old.hears(old.ann, "tea?", old.dm(old.ann))
    assert TEAS_DRAWN in drawn(again) and methods(old) == [RICH, PLAIN, PLAIN]
    assert (await old.newest()).outcome is Outcome.REPLIED and answer.reply_to


async def test_a_new_life_asks_again(old):
    await old.hears(old.ann, f"{AT} tea?")
    old.world.switches.rich = True
    await old.dies()
    await old.lives_again()
    (answer,) = await old.hears(old.ann, f"{AT} tea?")
    assert len(table_of(answer)) == 3


async def test_whoever_wants_none_gets_none(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model, platform="rich_messages = false") as bot:
        (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
        assert TEAS_DRAWN in drawn(answer) and methods(bot) == [PLAIN]
        assert "A table is drawn as plain columns" in model.requests[-1].system_text


# refusals and losses


async def test_what_is_refused_of_one_message_is_drawn_for_it_alone(bot):
    bot.server.fault(RICH, NOT_THIS_ONE)
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert TEAS_DRAWN in drawn(answer) and methods(bot) == [RICH, PLAIN]
    (again,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert len(table_of(again)) == 3


async def test_a_table_of_too_many_columns_is_not_tried(bot, model):
    columns = range(21)
    rows = ["|" + "|".join(f"{what}{n}" for n in columns) + "|" for what in ("name", "value")]
    model.script = [says(f"{rows[0]}\n|{'---|' * 21}\n{rows[1]}")]
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert re.findall(r"name(\d+): value(\d+)", drawn(answer)) == [(str(n), str(n)) for n in columns]
    assert methods(bot) == [PLAIN]


async def test_a_table_that_may_have_arrived_is_sent_in_no_other_form(bot):
    bot.server.fault(RICH, Drops(applied=True))
    await bot.hears(bot.ann, f"{AT} tea?")
    assert [text for text in bot.texts() if "Earl Grey" in text] == [TEAS_READ]
    assert methods(bot).count(RICH) == 1 and (await bot.newest()).outcome is Outcome.UNCERTAIN


async def test_a_flood_is_waited_for(bot):
    bot.server.fault(RICH, Flood(2))
    (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert len(table_of(answer)) == 3 and methods(bot) == [RICH, RICH]


async def test_a_closed_topic_is_closed_in_every_form(bot):
    bot.server.fault(RICH, Refuses(400, "Bad Request: TOPIC_CLOSED"))
    await bot.hears(bot.ann, f"{AT} tea?")
    found = await bot.newest()
    assert found.outcome is Outcome.FAILED and found.outcome_reason == "send:topic_closed"
    assert not [call for call in bot.sends() if call.method == PLAIN and "Earl" in str(call.params)]


async def test_a_group_that_moved_meanwhile_gets_its_table(tmp_path):
    async def moves(_):
        bot.world.migrate(group)
        return says(TEAS)

    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(moves)) as bot:
        group = bot.world.group("yard", bot.root, bot.ann, bot.me)
        await bot.hears(bot.ann, f"{AT} tea?", group)
        (answer,) = bot.written(group.successor)
        assert len(table_of(answer)) == 3 and bot.written(group) == []


# while it is written


@pytest.mark.parametrize("has_them", [True, False])
async def test_a_message_that_was_edited_becomes_the_table(tmp_path, model, has_them):
    async with a_telegram_bot(tmp_path / "data", model=model, streaming=True) as bot:
        bot.world.switches.rich = has_them
        model.script = [lambda _: Writes(bot.clock, TEAS, 0.4)]
        (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
        assert answer.edits > 1 and len(bot.written(bot.kitchen)) == 1
        edits = [call.params for call in bot.server.calls(EDIT)]
        tried = [number for number, params in enumerate(edits) if "rich_message" in params]
        if has_them:
            assert len(table_of(answer)) == 3 and tried == [len(edits) - 1]
        else:
            assert TEAS_DRAWN in drawn(answer) and tried == [len(edits) - 2]
        await bot.hears(bot.ann, f"{AT} more?")
        assert has_them or bot.server.calls(RICH) == []
        assert all("|" not in params.get("text", "").replace("a|b", "") for params in edits)


async def test_a_draft_becomes_the_table(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model, streaming=True) as bot:
        model.script = [lambda _: Writes(bot.clock, TEAS, 0.4)]
        (answer,) = await bot.hears(bot.ann, "tea?", bot.dm(bot.ann))
        assert len(table_of(answer)) == 3 and answer.edits == 0 and bot.world.drafts


async def test_an_edit_that_is_refused_is_drawn(tmp_path, model):
    async with a_telegram_bot(tmp_path / "data", model=model, streaming=True) as bot:
        bot.server.fault(EDIT, NOT_THIS_ONE, when=lambda params: "rich_message" in params)
        model.script = [lambda _: Writes(bot.clock, TEAS, 0.4)]
        (answer,) = await bot.hears(bot.ann, f"{AT} tea?")
        assert TEAS_DRAWN in drawn(answer) and bot.texts() == [answer.text]
        (again,) = await bot.hears(bot.ann, f"{AT} more?")
        assert len(table_of(again)) == 3


@pytest.mark.parametrize("status", [404, 405, 501])
async def test_a_page_in_the_place_of_an_answer_says_that_there_are_none(bot, status):
    bot.server.fault(RICH, BadGateway(status=status))
    (first,) = await bot.hears(bot.ann, f"{AT} tea?")
    (second,) = await bot.hears(bot.ann, f"{AT} tea?")
    assert TEAS_DRAWN in drawn(first) and TEAS_DRAWN in drawn(second)
    assert methods(bot) == [RICH, PLAIN, PLAIN]
