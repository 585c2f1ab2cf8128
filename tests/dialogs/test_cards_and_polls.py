"""Cards and polls: drawn as such where a platform can, and the same words as text where it cannot or may not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.domain.base import canonical_json
from bot.domain.ledger import LedgerStage, Outcome
from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.stores import places_with
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.dialogs.test_outages import waits
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.servers.telegram import Drops

SCRIPTED = '[providers.scripted]\nkind = "simulated"\n[model]\nname = "scripted/scripted-1"\ncontext_window = 128000\n'
CARD = {
    "title": "Tea of the day",
    "description": "Green, **not** sweet.",
    "fields": [{"name": "Price", "value": "2 coins"}, {"name": "Until", "value": "noon"}],
    "footer": "From the kitchen",
    "colour": "green",
}
CARD_TEXT = "**Tea of the day**\n\nGreen, **not** sweet.\n\n**Price**\n2 coins\n\n**Until**\nnoon\n\nFrom the kitchen"
POLL = {"question": "Tea or coffee?", "options": ["Tea", "Coffee @everyone"], "hours": 3}
POLL_TEXT = "📊 **Tea or coffee?**\n\n1. Tea\n2. Coffee ＠everyone"
CANARY = "canary-7f3a9c"
DRAWN = {"title": f"Door {CANARY}t", "fields": [{"name": f"{CANARY}n", "value": f"{CANARY}v"}], "footer": f"{CANARY}f"}
ASKED = {"question": f"Is it {CANARY}q?", "options": [f"{CANARY}o", "No"]}
PIECES = tuple(f"{CANARY}{piece}" for piece in "xtnvfqo")
KEY = "sk-proj-" + "a1B2" * 8


def card(**changes: object) -> Any:
    return calls(("send_card", {**CARD, **changes}))


def poll(**changes: object) -> Any:
    return calls(("send_poll", {**POLL, **changes}))


async def test_a_terminal_shows_both_as_text_and_the_model_is_told_what_people_read(tmp_path: Path) -> None:
    model = ScriptedProvider(card(), poll(), says("shown"))
    async with a_bot(tmp_path, providers={"scripted": model}, more=SCRIPTED) as bot:
        shown = "\n".join(await bot.says("ann", "@glassmind what is there?"))
        assert "**Tea of the day**" in shown and "2 coins" in shown and "1. Tea" in shown
        *_, called, note = model.requests[1].messages
        assert called.results[0].text.startswith("Sent as message ")
        # beside the call stands in history what people read
        assert canonical_json(CARD_TEXT) in note.text
        assert (
            model.requests[2].messages[-2].results[0].text.endswith("people see the question and the options as text.")
        )
        (asked, *_) = await bot.store.ledger.recent(GENERAL, 1)
        assert asked.outcome is Outcome.REPLIED
        rows = await bot.store.outbox.of_inbound(asked.id)
        assert [row.body.text for row in rows] == [CARD_TEXT, POLL_TEXT] and not any(row.body.rich for row in rows)


async def test_what_no_card_or_poll_can_be_is_refused_with_the_reason(tmp_path: Path) -> None:
    wrong = [
        ("send_card", {**CARD, "title": "\u200b"}, "a card needs a title"),
        ("send_card", {"title": "Tea"}, "a description or fields"),
        ("send_card", {**CARD, "fields": [{"name": "x", "value": "y"}] * 26}, "at most 25"),
        ("send_card", {**CARD, "fields": [{"name": "x", "value": "y" * 1000}] * 5}, "4,096 characters here"),
        ("send_card", {**CARD, "colour": "beige"}, "'grey', 'red'"),
        ("send_card", {**CARD, "image": "https://evil.example/x.png"}, "image"),
        ("send_poll", {**POLL, "question": " "}, "need a few words"),
        ("send_poll", {**POLL, "options": ["Tea"]}, "at least 2"),
        ("send_poll", {**POLL, "options": ["Tea", "Tea"]}, "the same"),
        ("send_poll", {**POLL, "options": ["Tea", "x" * 56]}, "55 characters"),
        ("send_poll", {**POLL, "hours": 1000}, "720"),
    ]
    model = ScriptedProvider(calls(*[(name, given) for name, given, _ in wrong]), says("no"))
    async with a_bot(tmp_path, providers={"scripted": model}, more=SCRIPTED) as bot:
        (shown,) = await bot.says("ann", "@glassmind what is there?")
        assert shown.endswith("< no")
        results = model.requests[1].messages[-1].results
        assert [(why in one.text, one.ok) for (_, _, why), one in zip(wrong, results, strict=True)] == [
            (True, False) for _ in wrong
        ], [one.text for one in results]


async def test_no_secret_gets_out_in_any_part_and_no_name_can_be_a_link(tmp_path: Path) -> None:
    parts = {"title": KEY, "description": KEY, "fields": [{"name": KEY, "value": KEY}], "footer": KEY}
    model = ScriptedProvider(
        calls(("send_card", parts), ("send_poll", {"question": KEY, "options": [KEY, "https://evil.example/x"]})),
        says("shown"),
    )
    async with a_bot(tmp_path, providers={"scripted": model}, more=SCRIPTED) as bot:
        shown = "\n".join(await bot.says("ann", "@glassmind what is there?"))
        assert "sk-proj" not in shown and shown.count("[redacted:") == 7
        assert "evil.example" not in shown and "evil[.]example" in shown
        (asked, *_) = await bot.store.ledger.recent(GENERAL, 1)
        assert asked.redacted


async def test_discord_draws_both_once_under_the_message_that_asked(tmp_path: Path) -> None:
    model = ScriptedProvider(card(description="For <@1> and @everyone: `tea`."), poll(several=True), says("shown"))
    async with a_discord_bot(tmp_path, model=model) as bot:
        shown, vote = await bot.hears(bot.ann, f"{bot.at} what is there?")
        (embed,) = shown.embeds
        assert (embed["title"], embed["color"], embed["footer"]["text"]) == (CARD["title"], 0x2ECC71, CARD["footer"])
        assert [(one["name"], one["value"]) for one in embed["fields"]] == [("Price", "2 coins"), ("Until", "noon")]
        assert not shown.content and "@\u2060everyone" in embed["description"] and not shown.pings
        assert vote.text == "📊 Tea or coffee? (Tea / Coffee ＠everyone)"
        assert vote.poll is not None and vote.poll["allow_multiselect"] and not vote.content
        asked = await bot.newest()
        assert {one.reference["message_id"] for one in (shown, vote)} == {asked.inbound.message_id}
        rows = await bot.store.outbox.of_inbound(asked.id)
        assert all(row.body.rich and row.receipt for row in rows) and rows[1].body.text == POLL_TEXT
        # who answers the card has its words with them
        model.script = [says("2 coins")]
        await bot.hears(bot.ann, f"{bot.at} how much?", reply_to=shown)
        assert "Tea of the day" in model.requests[-1].messages[-1].text


async def test_a_card_whose_process_was_killed_over_it_is_drawn_once_and_links_of_others_are_dead_in_it(
    tmp_path: Path,
) -> None:
    url = "https://collect.example/x?y=1"
    model = ScriptedProvider()
    async with a_discord_bot(tmp_path, model=model) as bot:
        await bot.hears(bot.james, f"you must read {url}")

        async def goes_away(_: object) -> object:
            await bot.server.refuse()
            fields = [{"name": url, "value": f"See {url}."}]
            return card(title=url, description=f"He says [read]({url}).", fields=fields, footer=url)

        model.script = [goes_away, says("shown")]
        await bot.says(bot.ann, f"{bot.at} what does he say?")
        await waits(bot)
        await bot.dies()
        await bot.server.accept()
        await bot.lives_again()
        await bot.settled()
        (shown,) = bot.written(bot.kitchen)
        (embed,) = shown.embeds
        assert (embed["description"], embed["fields"][0]["value"]) == (f"He says read (`{url}`).", f"See `{url}`.")
        for name in (embed["title"], embed["fields"][0]["name"], embed["footer"]["text"]):
            assert name == "hxxps[:]//collect[.]example[…]"
        assert not shown.content and (await bot.newest()).outcome is Outcome.REPLIED


async def test_without_the_right_for_it_the_words_go_out_and_the_doctor_names_the_right(tmp_path: Path) -> None:
    model = ScriptedProvider(card(), poll(), says("shown"))
    async with a_discord_bot(tmp_path, model=model) as bot:
        for right in ("embed_links", "send_polls"):
            bot.kitchen.deny(bot.house.everyone, right)
        shown, vote = await bot.hears(bot.ann, f"{bot.at} what is there?")
        assert (shown.content, vote.content) == (CARD_TEXT, POLL_TEXT) and not shown.embeds and vote.poll is None
        trail = await bot.store.ledger.trail((await bot.newest()).id)
        sent = [dict(row.detail) for row in trail.stages if row.stage is LedgerStage.DELIVERED]
        assert [one["note"] for one in sent] == ["plain", "plain"] and trail.inbound.outcome is Outcome.REPLIED
        await bot.hears(bot.root, f"!cortex doctor <#{bot.kitchen.id}>")
        told = bot.private(bot.root)
        assert (
            "cards go out as text, because it lacks Embed Links; polls go out as text, because it lacks Create" in told
        )


async def test_telegram_draws_a_card_with_its_marks_and_a_poll_as_a_poll(tmp_path: Path) -> None:
    model = ScriptedProvider(card(), poll(), says("shown"))
    async with a_telegram_bot(tmp_path, model=model) as bot:
        shown, vote = await bot.hears(bot.ann, f"{AT} what is there?")
        assert shown.text == CARD_TEXT.replace("**", "")
        bold = [shown.text[one["offset"] :][: one["length"]] for one in shown.json["entities"] if one["type"] == "bold"]
        assert bold == ["Tea of the day", "not", "Price", "Until"]
        assert vote.text == "📊 Tea or coffee? (Tea / Coffee ＠everyone)"
        assert vote.json["poll"]["open_period"] == 3 * 3600 and vote.json["poll"]["is_anonymous"]
        rows = await bot.store.outbox.of_inbound((await bot.newest()).id)
        assert [(bool(row.body.rich), row.body.text) for row in rows] == [(False, CARD_TEXT), (True, POLL_TEXT)]
        # nor is a poll sent twice that may have arrived
        bot.server.fault("sendPoll", Drops(applied=True))
        model.script = [poll(question="And now?"), says("shown")]
        await bot.hears(bot.ann, f"{AT} and now?")
        assert bot.transcript().count("📊 And now?") == 1 and len(bot.server.calls("sendPoll")) == 2
        assert (await bot.newest()).outcome is Outcome.UNCERTAIN


async def test_where_telegram_takes_no_poll_its_words_go_out_and_the_doctor_says_so(tmp_path: Path) -> None:
    model = ScriptedProvider(poll(), says("shown"))
    async with a_telegram_bot(tmp_path, model=model) as bot:
        bot.kitchen.permissions["can_send_polls"] = False
        (vote,) = await bot.hears(bot.ann, f"{AT} what is there?")
        assert vote.text == POLL_TEXT.replace("**", "")
        trail = await bot.store.ledger.trail((await bot.newest()).id)
        (sent,) = [dict(row.detail) for row in trail.stages if row.stage is LedgerStage.DELIVERED]
        assert sent["note"] == "plain"
        await bot.hears(bot.root, f"!cortex doctor telegram:{bot.kitchen.id}", bot.dm(bot.root))
        assert "polls go out as text: members can't send polls" in bot.private(bot.root)
        bot.kitchen.permissions.clear()
        bot.world.switches.polls = False
        model.script = [poll(question="And now?"), says("shown")]
        (vote,) = await bot.hears(bot.ann, f"{AT} and now?")
        assert vote.text.startswith("📊 And now?\n\n1. Tea")


def exported(data: Path) -> str:
    """The newest export, as it lies in the data directory."""
    return max((data / "context").rglob("*.json"), key=lambda path: path.stat().st_mtime_ns).read_text()


async def are_of_who_asked(bot: Any, at: str, private: Any) -> None:
    """Ann asks for a card and a poll, which repeat her; they are hers: counted, exported, and gone with her."""
    bot.providers["scripted"].script = [card(**DRAWN), poll(**ASKED), says("shown")]
    await bot.hears(bot.ann, f"{at} draw my door code, {CANARY}x")
    rows = await bot.store.outbox.of_inbound((await bot.newest()).id)
    bot.providers["scripted"].script = [card(footer=f"{CANARY}j"), card(footer=f"ann's: {CANARY}x"), says("shown")]
    await bot.hears(bot.james, f"{at} draw the tea")

    await bot.hears(bot.ann, "/mydata".replace("/", private[0]), private[1])
    assert "· 2 answers sent to you" in bot.private(bot.ann)
    await bot.hears(bot.root, "!cortex export")
    found = exported(bot.data)
    assert not [piece for piece in PIECES if piece not in found], "all its words are in what the model is told next"

    await bot.hears(bot.ann, "/forgetme now".replace("/", private[0]), private[1])
    assert "are forgotten" in bot.private(bot.ann)
    assert not [piece for piece in PIECES if places_with(bot.data, piece)]
    assert places_with(bot.data, f"{CANARY}j"), "what somebody else was shown is theirs"
    await bot.hears(bot.root, "!cortex export")
    found = exported(bot.data)
    assert not [piece for piece in PIECES if piece in found] and f"{CANARY}j" in found and "2 coins" in found
    kept = [await bot.store.outbox.get(row.row) for row in rows]
    assert len(kept) == 2 and not any(row.body.text or (row.body.rich and row.body.rich.read("")) for row in kept)


async def test_on_discord_the_words_of_both_are_of_who_asked_for_them(tmp_path: Path) -> None:
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider()) as bot:
        await are_of_who_asked(bot, bot.at, ("!", bot.me))


async def test_on_telegram_the_words_of_both_are_of_who_asked_for_them(tmp_path: Path) -> None:
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider()) as bot:
        bot.dm(bot.ann).is_started = True
        await are_of_who_asked(bot, AT, ("/", bot.dm(bot.ann)))
