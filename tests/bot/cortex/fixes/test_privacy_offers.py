"""A person is forgotten, and no byte of theirs is left; a channel is not recorded, and everybody is told so."""

from __future__ import annotations

import gzip
import os
import sqlite3
from pathlib import Path

import pytest

from adapters.sqlite.engine.directory import DiskRoom
from adapters.workspaces import Settings, create
from bot.cortex.sessions import button_signing
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import Outcome
from bot.domain.memory import MemoryProvenance
from bot.domain.messages import InboundKind
from bot.domain.turn import MarkKind
from bot.errors import ProviderFault
from tests.adapters.sqlite.upkeep.test_integrity import audited
from tests.bot.cortex.chat import ADMIN, ANN, GENERAL, OWNER, STRANGER, chat, config
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import calls, fails, says

KEY = ChannelKey(MAIN, GENERAL)
CANARY = "canary-7f3a9c"
SAID = f"my door code is {CANARY} and I like pears"
JAMES = "300"
OTHER = "canary-5b2d1e"
RANDOM = ChannelId("console:#random")


def parrot(request):
    """Repeat what was said last, and remember it, as the most talkative of models would."""
    newest = request.messages[-1]
    if newest.role == "tool":
        return says("noted: " + " ".join(m.text.splitlines()[-1] for m in request.messages if m.role == "user")[-300:])
    if "be silent" in newest.text and newest.role == "user":
        return calls(("skip", {"reason": f"they said {newest.text.splitlines()[-1]}", "category": "instructed"}))
    if CANARY in newest.text and request.tools:
        return calls(("memory_save", {"content": f"Ann says: {newest.text.splitlines()[-1]}", "type": "fact"}))
    return says("you said: " + newest.text.splitlines()[-1])


def traces(data: Path, canary: str = CANARY) -> dict[str, int]:
    """Count a word in every file of the data directory, as bytes."""
    files = [path for path in data.rglob("*") if path.is_file()]
    return {str(path.relative_to(data)): n for path in files if (n := path.read_bytes().count(canary.encode()))}


async def forget(bot, by=OWNER, user=ANN):
    await bot.hears(f"!cortex forget user {user}", by)
    offered = bot.last
    assert await bot.presses(f"Forget id {user}", by) == "Working on it; the result comes here."
    return offered


async def spoke(bot):
    """Let Ann say it where it ends up in every corner: a turn, a memory, talk, another turn, a file, a copy."""
    said = await bot.hears(SAID, mentions_bot=True)
    await bot.hears(f"and again, the code is {CANARY}", mentions_bot=True)
    await bot.manager.receive([said.replace(text=f"{SAID}!", edit=2, kind=InboundKind.EDIT)], None)
    await bot.dm(f"between us: {CANARY}", ANN)
    await bot.hears(f"be silent about {CANARY} now", mentions_bot=True)
    await bot.hears("!cortex why", OWNER)
    await bot.hears("what did ann say?", JAMES, mentions_bot=True)
    await bot.hears("!cortex export #general last", OWNER)
    await bot.hears("!cortex context #general last", OWNER)
    await bot.app.maintenance.sweep()


async def test_nothing_of_a_person_is_left_in_any_byte(tmp_path):
    data = tmp_path / "data"
    async with chat(tmp_path, parrot) as bot:
        await spoke(bot)
        assert {"glassmind.db-wal"} <= set(traces(data)) and any(name.startswith("context/") for name in traces(data))
        offered = await forget(bot)
        assert "5 messages" in offered and "cannot be undone" in offered and "recorded requests" in offered
        assert "3 memories" in offered and "Backups that contain any of it are deleted too" in offered
        assert bot.last.startswith(f"✓ id {ANN} is forgotten")
        assert "Removed: context/" in bot.last and "Out of reach" in bot.last
        assert traces(data) == {}
        assert not await bot.store.verify()
        await bot.hears("and what now?", JAMES, mentions_bot=True)
        assert traces(data) == {}
        assert not any(CANARY in str(request) for request in bot.provider.requests[-1:])
    assert traces(data) == {}


async def test_what_workers_wrote_down_of_a_person_goes_and_the_rest_stays(tmp_path):
    data = tmp_path / "data"
    async with chat(tmp_path, parrot) as bot:
        await bot.hears(SAID, mentions_bot=True)
        workspaces = create(data, Settings())
        await workspaces.write(KEY, "notes/ann.md", f"Door code: {CANARY}\n".encode())
        await workspaces.write(KEY, "notes/tea.md", b"green")
        odd = await workspaces.folder(KEY) / os.fsdecode(b"odd-\xff")
        odd.write_text(CANARY)
        (await workspaces.folder(KEY) / "way-out").symlink_to(data / "secret.key")
        await forget(bot)
        assert "notes/ann.md" in bot.last
        assert traces(data) == {} and (data / "secret.key").exists()
        assert await workspaces.read(KEY, "notes/tea.md") == b"green"


async def test_what_was_asked_about_a_person_opens_and_says_that_it_was_erased(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await spoke(bot)
        (request, *_) = await bot.store.journal.recent_requests(KEY, 1)
        digest = request.record.digest
        await forget(bot)
        again = await bot.store.journal.request(request.id)
        assert again.record.digest == digest and again.mark.kind is MarkKind.REDACTED
        assert "what did ann say?" in str(again.record.request), "what James said is his"
        await bot.dm(handle(HandleKind.REQUEST, request.id))
        assert "redacted: words in it were erased on request" in bot.last
        await bot.hears("!cortex why", OWNER)
        assert "erased on request" in bot.last


async def test_others_are_left_alone(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await spoke(bot)
        by = MemoryProvenance(author=UserId(JAMES), author_name="james")
        other = await bot.remembers("James likes plums.", subjects=(UserId(JAMES),), provenance=by)
        await forget(bot)
        state = await bot.store.channels.load(KEY)
        assert "what did ann say?" in str(state.turns)
        assert (await bot.store.memories.get(other)).body.content == "James likes plums."
        footprint = await bot.store.erasures.footprint(PersonKey("console", UserId(JAMES)))
        assert footprint.messages == 1 and footprint.memories == 1


async def test_an_admin_reaches_no_further_than_their_channels_and_learns_nothing_of_others(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears(SAID, mentions_bot=True)
        await bot.hears(f"elsewhere it is {OTHER}", channel=RANDOM, mentions_bot=True)
        offered = await forget(bot, ADMIN)
        assert "In the channels you look after" in offered and "· 1 message" in offered
        assert traces(tmp_path / "data") == {} and traces(tmp_path / "data", OTHER)
        assert "random" not in bot.last
        await bot.hears("only here", JAMES, channel=RANDOM, mentions_bot=True)
        for user in (ANN, JAMES, "4242"):
            await bot.hears(f"!cortex forget user {user}", ADMIN)
            assert bot.last == f"Nothing is stored about id {user} in the channels you look after."
        before = len(bot.platform.sent)
        await bot.hears(f"!cortex forget user {ANN}", STRANGER)
        assert len(bot.platform.sent) == before
        await bot.hears("!cortex forget user 4242", OWNER)
        assert bot.last == "Nothing is stored about id 4242 on console."


async def test_an_admin_may_where_everything_lies_in_channels_of_theirs(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears(SAID, mentions_bot=True)
        await forget(bot, ADMIN)
        assert traces(tmp_path / "data") == {}
        (row,) = [entry for entry in await bot.store.audit.newest(None, 20) if entry.body.action == "forget user"]
        assert (row.body.actor, row.body.detail, row.body.undo) == (ADMIN, f"id {ANN}", None)


async def stop_recording(bot, by=ADMIN):
    await bot.hears("!cortex record off", by)
    offered = bot.last
    assert await bot.presses("Stop recording", by) == "Done."
    return offered


async def test_a_channel_that_is_not_recorded_keeps_no_words_of_requests(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears("hello", mentions_bot=True)
        offered = await stop_recording(bot)
        assert "sizes, times and digests of requests, answers and tool calls, not their words" in offered
        assert "is no longer recorded" in bot.last
        said = await bot.hears("what about plums?", mentions_bot=True)
        assert bot.public[-1] == "you said: what about plums?"
        turn = await bot.store.journal.turn((await bot.inbound(said)).turn)
        assert await bot.store.journal.requests_of_turn(turn.id) == []
        (outline,) = await bot.store.outlines.outlines_of_turn(turn.id)
        assert outline.mark.kind is MarkKind.UNRECORDED
        assert outline.record.stats.total > 0 and len(outline.record.digest) == 32 and outline.record.wire_bytes > 0
        assert (outline.response.text, outline.response.usage.input is not None) == ("", True)


async def test_the_inspector_the_export_and_the_report_say_so(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears("hello", mentions_bot=True)
        await stop_recording(bot)
        said = await bot.hears("what about plums?", mentions_bot=True)
        for words in ("context last", "export last", "diff", "cache"):
            await bot.hears(f"!cortex {words}", ADMIN)
            assert bot.last.startswith("Nothing is recorded here (since ") and "by admin (id 2)" in bot.last
        await bot.hears("!cortex why", ADMIN)
        assert "Not recorded here since" in bot.last and "was answered" in bot.last
        (outline,) = await bot.store.outlines.outlines_of_turn((await bot.inbound(said)).turn)
        await bot.dm(handle(HandleKind.REQUEST, outline.id), ADMIN)
        assert "Recording was off" in bot.last and outline.record.wire_sha256[:16] in bot.last
        await bot.hears("!cortex context", ADMIN)
        assert "next" in bot.last


async def test_what_is_only_overheard_there_is_not_kept(tmp_path):
    shy = config(tmp_path / "data")
    shy.platforms["console"].__dict__["default_mode"] = "mention_only"
    async with chat(tmp_path, parrot, settings=shy) as bot:
        await bot.hears("hello", mentions_bot=True)
        await stop_recording(bot)
        said = await bot.hears(f"between us: {CANARY}", mentions_bot=False)
        stored = await bot.inbound(said)
        assert (stored.outcome, stored.text_kept) == (Outcome.STORED_ONLY, False)
        await bot.hears("and now?", mentions_bot=True)
        edited = said.replace(text=f"between us, once more: {CANARY}", edit=2, kind=InboundKind.EDIT)
        await bot.manager.receive([edited], None)
        await bot.settled()
        assert CANARY not in str(bot.provider.requests[-1]) and traces(tmp_path / "data") == {}


async def test_it_can_be_taken_back_and_is_said_when_it_holds_already(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears("hello", mentions_bot=True)
        await stop_recording(bot)
        await bot.hears("!cortex record off", ADMIN)
        assert bot.last.startswith("This channel is not recorded (since ")
        await bot.hears("!cortex record on", ADMIN)
        await bot.presses("Record", ADMIN)
        said = await bot.hears("what about plums?", mentions_bot=True)
        (request,) = await bot.store.journal.requests_of_turn((await bot.inbound(said)).turn)
        assert request.mark is None
        await bot.hears("!cortex context last", ADMIN)
        assert not bot.last.startswith("Nothing is recorded")


async def test_the_configuration_has_the_last_word(tmp_path):
    quiet = config(tmp_path / "data", channels={GENERAL: {"record": False}})
    async with chat(tmp_path, parrot, settings=quiet) as bot:
        said = await bot.hears("what about plums?", mentions_bot=True)
        assert await bot.store.journal.requests_of_turn((await bot.inbound(said)).turn) == []
        await bot.hears("!cortex record on", ADMIN)
        assert "only the operator can change it" in bot.last
        await bot.hears("!cortex context last", ADMIN)
        assert bot.last.startswith("Nothing is recorded here (the configuration says so)")


async def test_what_a_process_left_undone_is_finished_by_the_next(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears(SAID, mentions_bot=True)
        await bot.hears(f"!cortex forget user {ANN}", OWNER)
        signed = button_signing.read(bot.button(f"Forget id {ANN}").data)
        proposal = await bot.store.offers.get(signed.id.hex())
        await bot.store.offers.execute(proposal.id, audited(action="forget user"))
        assert traces(tmp_path / "data"), "confirmed, and the process ends"
    async with chat(tmp_path, parrot) as bot:
        await bot.app.maintenance.sweep()
        await bot.settled()
        assert traces(tmp_path / "data") == {}
        assert await bot.store.erasures.unfinished() == []


async def test_what_a_model_service_said_of_their_words_goes_too(tmp_path):
    def refuses(request):
        newest = request.messages[-1].text
        return fails(ProviderFault.BAD_REQUEST, f"400: unsafe words in {newest!r}") if CANARY in newest else says("ok")

    async with chat(tmp_path, refuses) as bot:
        said = await bot.hears(SAID, mentions_bot=True)
        (stored,) = await bot.store.journal.requests_of_turn((await bot.inbound(said)).turn)
        assert CANARY in stored.attempts[0].error
        await forget(bot)
        assert traces(tmp_path / "data") == {}
        again = await bot.store.journal.request(stored.id)
        assert (again.attempts[0].error, again.attempts[0].fault) == ("[erased on request]", ProviderFault.BAD_REQUEST)
        assert not await bot.store.verify()


async def test_an_error_that_quotes_them_in_somebody_elses_turn_goes_and_others_stay(tmp_path):
    errors = iter([f"429: the queue of {CANARY} is full", "500: it broke"])

    def refuses(request):
        return fails(ProviderFault.BAD_REQUEST, next(errors)) if "james" in request.messages[-1].text else says("ok")

    async with chat(tmp_path, refuses) as bot:
        await bot.hears(SAID, mentions_bot=True)
        heard = [await bot.hears(f"james asks {n}", JAMES, mentions_bot=True) for n in range(2)]
        await forget(bot)
        assert traces(tmp_path / "data") == {}
        kept = []
        for one in heard:
            (stored,) = await bot.store.journal.requests_of_turn((await bot.inbound(one)).turn)
            kept.append(stored.attempts[0].error)
        assert kept == ["[erased on request]", "500: it broke"]


async def test_packed_exports_that_went_out_go_too(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears(SAID, mentions_bot=True)
        bot.platform.capabilities = bot.platform.capabilities.model_copy(update={"max_file": 20_000})
        await bot.hears("!cortex export #general last", OWNER)
        (packed,) = (tmp_path / "data" / "outgoing").iterdir()
        assert CANARY in gzip.decompress(packed.read_bytes()).decode()
        torn = packed.with_name("torn-context.json.gz")
        torn.write_bytes(packed.read_bytes()[:-20])
        await forget(bot)
        assert f"outgoing/{packed.name}" in bot.last and f"outgoing/{torn.name}" in bot.last
        assert list(packed.parent.iterdir()) == []


async def test_whoever_asks_to_be_forgotten_is_and_gets_a_receipt_of_it(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await spoke(bot)
        await bot.hears("!forgetme", ANN, mentions_bot=True)
        assert "6 messages" in bot.last and "cannot be undone" in bot.last and "Out of reach" in bot.last
        assert traces(tmp_path / "data"), "nothing goes before it is confirmed"
        await bot.hears("!forgetme now", ANN, mentions_bot=True)
        assert bot.last.startswith(f"✓ You (id {ANN}) are forgotten.") and "Out of reach" in bot.last
        assert bot.platform.sent[-1].to.private_to == ANN
        assert traces(tmp_path / "data") == {}
        assert await bot.store.erasures.unfinished() == []
        await bot.hears("!mydata", ANN, mentions_bot=True)
        assert CANARY not in bot.last


async def test_somebody_who_opted_out_is_explained(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears("!optout", ANN, mentions_bot=True)
        await bot.hears("plums, anyone?", ANN, mentions_bot=True)
        await bot.hears("!cortex why", OWNER)
        assert "the sender opted out" in bot.last and "Only they can undo it" in bot.last


async def test_the_words_of_a_deleted_message_are_closed_everywhere(tmp_path):
    async with chat(tmp_path, lambda _: says("ok")) as bot:
        said = await bot.hears(f"the code is {OTHER}", channel=RANDOM)
        name = handle(HandleKind.INBOUND, (await bot.inbound(said)).id)
        await bot.manager.receive([said.replace(text=f"no, it is {OTHER}", edit=2, kind=InboundKind.EDIT)], None)
        await bot.settled()
        await bot.manager.receive([said.replace(text="", edit=3, kind=InboundKind.DELETE)], None)
        await bot.settled()
        await bot.hears(f"!cortex open {name}", OWNER)
        assert "words were not stored" in bot.last and OTHER not in bot.last
        for words in (f"this {name}", f"find {OTHER}", "export #random next", "context #random next"):
            await bot.hears(f"!cortex {words}", OWNER)
            assert OTHER not in bot.last, words
        context = [path.read_text() for path in (tmp_path / "data" / "context").rglob("*.json")]
        assert context and not any(OTHER in text for text in context)
        assert not await bot.store.verify()


async def test_a_deletion_that_comes_before_its_message_closes_it_too(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        said = await bot.hears("hello", channel=RANDOM)
        late = said.replace(message_id="9001", text=f"the code is {OTHER}", mentions_bot=True)
        await bot.manager.receive([late.replace(text="", edit=3, kind=InboundKind.DELETE)], None)
        await bot.manager.receive([late], None)
        await bot.settled()
        assert traces(tmp_path / "data", OTHER).keys() <= {"glassmind.db-wal"}
        assert not (await bot.inbound(late)).text_kept


async def test_who_asks_about_their_data_too_often_hears_it_once(tmp_path):
    async with chat(tmp_path, parrot) as bot:
        await bot.hears("hello", mentions_bot=True)
        heard = []
        for _ in range(12):
            before = len(bot.platform.sent)
            await bot.hears("!mydata", ANN, mentions_bot=True)
            heard += [message.text for message in bot.platform.sent[before:]]
        assert sum("What I store about you" in text for text in heard) == 5
        # the sixth hears that, the seventh that it has given too many commands, and from then on nothing
        assert sum("too often" in text for text in heard) == 1 and len(heard) == 7
        await bot.hears("!mydata", JAMES, mentions_bot=True)
        assert "id 300" in bot.last, "others are answered"


async def test_no_backup_goes_before_a_new_one_was_made_and_checked(tmp_path, monkeypatch):
    copies = tmp_path / "data" / "backups"
    async with chat(tmp_path, parrot) as bot:
        await bot.hears("what about plums?", JAMES, mentions_bot=True)
        await bot.app.maintenance.sweep()
        (before,) = copies.iterdir()
        await bot.hears("!forgetme now", STRANGER, mentions_bot=True)
        assert "forgotten" in bot.last and "backup" not in bot.last
        assert list(copies.iterdir()) == [before], "it holds nothing of a stranger"
        monkeypatch.setattr(DiskRoom, "free", lambda _: -1)
        await bot.hears("!forgetme now", JAMES, mentions_bot=True)
        assert "1 backup may still hold some of it" in bot.last and "It goes by " in bot.last
        assert list(copies.iterdir()) == [before]


async def test_the_word_of_everybody_is_nobodys(tmp_path):
    shared = "2026-12-24 acme-prod-01 config.toml @glassmind_bot ceo@acme.test"
    async with chat(tmp_path, parrot) as bot:
        await bot.hears(f"the plan is {shared}", JAMES, mentions_bot=True)
        kept = [await bot.hears(f"again {shared}", JAMES, mentions_bot=True)]
        await bot.hears(f"{shared} and {CANARY}", mentions_bot=True)
        kept.append(await bot.hears(f"once more {shared}", JAMES, mentions_bot=True))
        workspaces = create(tmp_path / "data", Settings())
        await workspaces.write(KEY, "plan.md", shared.encode())
        rows = [(await bot.inbound(one)).turn for one in kept]
        answers = [await bot.store.journal.requests_of_turn(turn) for turn in rows]
        await forget(bot)
        assert traces(tmp_path / "data") == {}
        assert await workspaces.read(KEY, "plan.md") == shared.encode()
        again = [await bot.store.journal.requests_of_turn(turn) for turn in rows]
        assert [[r.response for r in some] for some in again] == [[r.response for r in some] for some in answers]
        assert "acme-prod-01" in str((await bot.store.channels.load(KEY)).turns)


class Threadless(FakePlatform):
    """Where all that somebody is told in private stands in one chat."""

    async def open_thread(self, person, title):
        return (await super().open_thread(person, title)).replace(thread="")


@pytest.mark.parametrize("has_threads", [True, False])
async def test_what_an_admin_was_told_of_others_elsewhere_stays(tmp_path, has_threads):
    """Where she never wrote somebody else said the same address: what was shown of that is not hers."""
    platform = (FakePlatform if has_threads else Threadless)(idempotent=True, max_units=4096)
    async with chat(tmp_path, parrot, platform=platform) as bot:
        await spoke(bot)
        said = await bot.hears(f"be silent about {CANARY} now", JAMES, channel=RANDOM, mentions_bot=True)
        name = handle(HandleKind.INBOUND, (await bot.inbound(said)).id)
        await bot.hears(f"!cortex open {name}", OWNER, channel=RANDOM)
        told = bot.last
        assert CANARY in told and name in told, told
        await forget(bot)
        rows = sqlite3.connect(tmp_path / "data" / "glassmind.db").execute("SELECT text FROM outbox WHERE text <> ''")
        assert [name in text for (text,) in rows if CANARY in text] == [True]
        assert (await bot.inbound(said)).inbound.text == said.text
