"""What everybody may ask about themselves, and what becomes of their words; always in private."""

from __future__ import annotations

from pathlib import Path

from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.ledger import Outcome
from bot.domain.messages import ChannelPlace
from tests.bot.messaging.house import ANN, MODERATOR, House, config, house
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform

DM = {"channel": ChannelId(f"console:dm:{ANN}"), "place": ChannelPlace(is_dm=True), "mentions_bot": False}
ME = PersonKey("console", UserId(ANN))


async def says(here: House, text: str, by: str = ANN, **changes: object) -> str:
    here.platform.sent.clear()
    await here.hears(text, by, **changes)
    return "\n".join(here.platform.texts)


def places(platform: FakePlatform) -> set[str]:
    return {sent.to.private_to or sent.to.channel for sent in platform.sent}


async def test_privacy_says_what_is_configured(tmp_path: Path):
    settings = config(
        retention={"messages_days": 7, "requests_days": 0, "backups_hours": 0, "journal_mb": 250},
        model={"name": "house/small", "fallbacks": ["spare/large"]},
        providers={
            "house": {"kind": "openai", "base_url": "https://models.example.org/v1"},
            "spare": {"kind": "simulated"},
        },
        conversation={"ambient_messages": 9},
    )
    async with house(tmp_path, settings) as here:
        answer = await says(here, "/privacy", **DM)
        assert answer.splitlines()[:7] == [
            "What Glass stores, and for how long:",
            "· messages that reach me and my answers: 7 days",
            "· talk not addressed to me: the newest 9 per channel, 72 hours",
            "· what I sent to a model, word for word: for ever, at most 250 MB in all",
            "· tool calls: 90 days",
            "· memories: until somebody tells me to forget them",
            "· copies of the database: none are made",
        ]
        assert "Who else reads it: house (models.example.org); spare." in answer
        assert "/mydata" in answer and "/forgetme" in answer and "/optout" in answer


async def test_in_a_group_the_answer_comes_in_private(tmp_path: Path):
    async with house(tmp_path) as here:
        for word in ("privacy", "mydata", "forgetme", "optout", "optout off"):
            assert await says(here, f"/{word}")
            assert places(here.platform) == {ANN}, word
        assert [reaction[2] for reaction in here.platform.reactions][-1] == "👀"


async def test_where_private_messages_are_closed_nothing_is_told_in_public(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.closed_dms.add(ANN)
        answer = await says(here, "/mydata")
        assert answer.startswith("I answer that only in private.") and ANN not in answer
        assert places(here.platform) == {v.GENERAL}


async def test_mydata_counts_and_shows_only_what_they_told_themselves(tmp_path: Path):
    async with house(tmp_path) as here:
        assert await says(
            here, "/mydata", by="4242", channel=ChannelId("console:dm:4242"), place=ChannelPlace(is_dm=True)
        )
        await here.hears("I like tea")
        told = v.memory("Ann likes tea.")
        other = v.memory(
            "Ann owes James money.", subjects=(UserId(ANN),), provenance=told.provenance.replace(author="7")
        )
        await here.store.memories.add([told, other])
        answer = await says(here, "!mydata", **DM)
        assert "What I store about you (id 100):" in answer
        assert "conversation line, yours and the answers" in answer and "2 memories by or about you" in answer
        assert "fact: Ann likes tea." in answer
        assert "owes" not in answer and "[withheld: told by somebody else]" in answer


async def test_forgetme_says_first_what_would_go(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.hears("I like tea")
        answer = await says(here, "!forgetme", **DM)
        assert "messages" in answer and "cannot be undone" in answer and "Send !forgetme now" in answer
        assert here.door.forgotten == []
        assert "to see what would be deleted" in await says(here, "/forgetme please", **DM)
        assert "I am deleting it now" in await says(here, "/forgetme NOW", **DM)
        assert here.door.forgotten == [ME]


async def test_whoever_opts_out_is_neither_kept_nor_answered(tmp_path: Path):
    async with house(tmp_path) as here:
        assert "/optout off ends this" in await says(here, "/optout", **{**DM})
        heard = await here.hears("my secret is plums")
        assert await here.outcome(heard) == (Outcome.GATED, "sender")
        assert not (await here.trail(heard)).inbound.text_kept
        talk = await here.trail(await here.hears("more plums", mentions_bot=False))
        assert not talk.inbound.text_kept
        assert here.taken == []
        assert "You opted out" in await says(here, "/start", **DM)
        assert "You opted out" in await says(here, "/mydata", **DM)
        await here.hears("hello", MODERATOR)
        assert here.taken == [["hello"]], "others are heard"


async def test_opting_out_holds_after_a_restart_and_can_be_taken_back(tmp_path: Path):
    async with house(tmp_path) as here:
        await says(here, "/optout", **DM)
    async with house(tmp_path) as here:
        await here.hears("plums")
        assert here.taken == []
        assert await says(here, "/optout off", **DM) == "I'm listening to you again."
        assert await says(here, "/optout off", **DM) == "You had not opted out."
        await here.hears("plums")
        assert here.taken == [["plums"]]
    async with house(tmp_path) as here:
        await here.hears("pears")
        assert here.taken == [["pears"]]


async def test_ordinary_sentences_are_no_wish(tmp_path: Path):
    async with house(tmp_path) as here:
        for text in ("Glass, forgetme not", "Glass privacy matters", "optout"):
            await here.hears(text)
        assert len(here.taken) == 3
        assert here.door.forgotten == [] and not here.book.has_opted_out(ME)
