"""People are told things in their own language, and what everybody reads stays in the channel's."""

from __future__ import annotations

import re

import pytest

from bot.errors import ConfigError, ProviderFault
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.served import a_stage
from tests.dialogs.stores import OF_ONE_PROCESS, ON_SERVER
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, fails, says
from tests.servers.model import FAILURES, Says

ENGLISH = frozenset(
    re.findall(
        r"\w+",
        "the and is are of not with this that you your got answered passed reached nothing confirmed likely newest "
        "message messages stored store only both sides have what has were been by at from about none here",
    )
)
"""Words that stand in an English report and in no German one."""


async def test_who_has_an_app_in_german_reads_why_in_german(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        bot.root.language_code = "de-AT"
        await bot.hears(bot.mod, f"{AT} !pause too noisy")
        await bot.hears(bot.ann, f"{AT} are you there?")
        await bot.hears(bot.root, "/why")
        assert "kitchen ist pausiert" in bot.private(bot.root) and "is paused" not in bot.private(bot.root)
        await bot.hears(bot.root, "/language en", bot.dm(bot.root))
        await bot.hears(bot.root, "/why")
        assert "kitchen is paused" in bot.private(bot.root)


async def test_an_admin_with_an_app_in_german_reads_german_from_the_first_line_to_the_last(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        bot.root.language_code, dm = "de", bot.dm(bot.root)
        await bot.hears(bot.mod, f"{AT} !pause zu laut")
        await bot.hears(bot.ann, f"{AT} bist du da?")
        read = [await bot.hears(bot.root, line, dm) for line in ("/mydata", "/privacy", "/language")]
        read += [await bot.hears(bot.root, f"!cortex {line}") for line in ("why", "memory", "ledger", "gap", "checks")]
        text = "\n".join(message.text for some in read for message in some)
        assert "sicher · nur Regeln, kein Modell gefragt" in text and "kitchen: nichts gemerkt" in text
        assert "Das speichere ich über dich" in text and "Hier gibt es keine." in text and "aufgehalten: pause" in text
        assert set(re.findall(r"\w+", text.casefold())) & ENGLISH == set()
        (doctor,) = (await bot.hears(bot.root, "!cortex doctor"))[-1:]
        assert "✓ Telegram: Konto: ＠glassmind_bot antwortet; der Gruppen-Datenschutz ist aus" in doctor.text
        kept = "✓ Datenbank: Schema: PostgreSQL" if ON_SERVER else "✓ Datenbank: Sicherung: noch keine Kopie"
        assert kept in doctor.text
        (context,) = (await bot.hears(bot.root, "!cortex context"))[-1:]
        assert re.search(r"≈\d,\dK von 128,0K Token · \d,\d %", context.text), context.text
        assert re.findall(r"\d\.\d(?!\d\d)", context.text) == []


async def test_what_somebody_chose_goes_before_their_app_and_stays(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        dm = bot.dm(bot.root)
        (asked,) = await bot.hears(bot.root, "/language", dm)
        assert asked.text.startswith("You have not chosen a language, so I use English.") and "en, de" in asked.text
        (chosen,) = await bot.hears(bot.root, "/language Deutsch", dm)
        assert chosen.text.startswith("Ab jetzt rede ich mit dir Deutsch.")
        await bot.restart()
        (now,) = await bot.hears(bot.root, "/language", dm)
        assert now.text.startswith("Ich rede mit dir Deutsch.")
        (unknown,) = await bot.hears(bot.root, "/language Klingon", dm)
        assert unknown.text.startswith("Klingon spreche ich noch nicht.")
        (forgotten,) = await bot.hears(bot.root, "/language off", dm)
        assert forgotten.text.startswith("I have forgotten your choice.")


async def test_what_everybody_reads_is_in_the_language_of_the_channel(tmp_path):
    more = '[channels."telegram:-1002000000001"]\nlanguage = "de"\n'
    async with a_telegram_bot(tmp_path / "data", more=more) as bot:
        (public,) = await bot.hears(bot.ann, f"{AT} /language")
        assert public.text.startswith("Du hast keine Sprache gewählt, deshalb nehme ich English.")


async def test_discord_tells_the_language_with_a_slash_command(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.app.publish("discord")
        bot.root.locale = "de"
        typed = await bot.slash(bot.root, "language")
        assert "Du hast keine Sprache gewählt, deshalb nehme ich Deutsch." in typed.shown[0].text


async def test_what_stands_beside_the_name_on_discord_is_in_the_language_of_the_bot(tmp_path):
    async with a_discord_bot(tmp_path / "data", bot_keys='language = "de"\n', begins=False) as bot:
        bot.me.granted.discard("message_content")
        bot.ann.locale = "en-US"
        await bot.open()
        await bot.hears(bot.ann, f"{bot.at} say hello")
        (shown,) = bot.me.presence["activities"]
        assert shown["state"].startswith("Erwähn mich oder nimm einen Befehl")
        bot.bot_keys = 'language = "en"\n'
        assert await bot.app.running.reload(lambda: bot.config) == ("bot.language",)
        await bot.hears(bot.ann, f"{bot.at} say hello again")
        (shown,) = bot.me.presence["activities"]
        assert shown["state"].startswith("Mention me or use a command")


async def test_a_language_without_sentences_stops_the_start_and_says_which_there_are(tmp_path):
    with pytest.raises(ConfigError, match="I don't speak 'tlh'; I speak en, de"):
        async with a_telegram_bot(tmp_path / "data", bot_keys='language = "tlh"\n'):
            pass


async def test_who_is_forgotten_has_chosen_nothing(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        dm = bot.dm(bot.root)
        await bot.hears(bot.root, "/language de", dm)
        await bot.hears(bot.root, "/forgetme now", dm)
        (asked,) = await bot.hears(bot.root, "/language", dm)
        assert asked.text.startswith("You have not chosen a language")


@OF_ONE_PROCESS
async def test_an_alert_is_said_to_each_admin_in_their_own_language(tmp_path):
    async with a_stage(tmp_path / "data", "telegram") as it:
        bot = it.bot
        bot.world.dm(bot.mod).is_started = True
        bot.root.language_code = "de"
        await bot.hears(bot.root, "/language", bot.dm(bot.root))
        it.server.answer = lambda _: FAILURES["bad_key"]
        await it.asks("hello")
        await bot.settled()
        for person, begins in ((bot.root, "✗ Der Modelldienst openai lehnt meinen"), (bot.mod, "✗ The model service")):
            (card,) = [text for text in bot.texts(bot.dm(person)) if text.startswith("✗")]
            assert card.startswith(begins)
        # what is kept of it is the same in both: after a restart the same message goes on to its end
        assert len({row.body.alert.kind for row in await bot.store.outbox.alerts(0)}) == 1
        await bot.restart()
        await bot.hears(bot.root, "/language", bot.dm(bot.root))
        it.server.answer = lambda _: Says("fine again")
        await it.passes(120)
        await it.asks("hello")
        await bot.settled()
        for person, begins in ((bot.root, "✓ Vorbei: Der Modelldienst openai"), (bot.mod, "✓ Over: the model")):
            (card,) = [text for text in bot.texts(bot.dm(person)) if text[:1] in "✗✓"]
            assert card.startswith(begins)


GERMAN_KITCHEN = '[channels."telegram:-1002000000001"]\nlanguage = "de"\n'
NO_ANSWER, KEINE_ANTWORT = "I could not answer: ", "Ich konnte nicht antworten: "


async def test_who_gets_no_answer_hears_why_in_the_language_of_the_place(tmp_path):
    model = ScriptedProvider(fails(ProviderFault.AUTH))
    async with a_telegram_bot(tmp_path / "data", model=model, more=GERMAN_KITCHEN) as bot:
        await bot.hears(bot.ann, f"{AT} are you there?")
        assert bot.texts()[-1].startswith(KEINE_ANTWORT)
        bot.james.language_code = "de"
        for person, begins in ((bot.james, KEINE_ANTWORT), (bot.ann, NO_ANSWER)):
            bot.world.dm(person).is_started = True
            await bot.hears(person, "are you there?", bot.dm(person))
            assert bot.private(person).startswith(begins)
        # whoever asks, and whoever is told of what became of it: a model reads English
        read = {word for one in model.requests for word in re.findall(r"\w+", one.model_dump_json().casefold())}
        assert read and not read & {"nicht", "und", "der", "kanal", "dem", "eine"}


async def test_a_model_that_an_admin_asks_in_german_reads_english(tmp_path):
    model = ScriptedProvider(says('{"findings":[],"summary":"Alles gut."}'))
    async with a_telegram_bot(tmp_path / "data", model=model) as bot:
        bot.root.language_code, dm = "de", bot.dm(bot.root)
        await bot.hears(bot.mod, f"{AT} !pause too noisy")
        await bot.hears(bot.ann, f"{AT} are you there?")
        await bot.hears(bot.root, "!cortex why does it not answer ann?")
        assert "ist pausiert" in bot.private(bot.root) and not model.requests
        await bot.presses(bot.root, "Das Modell fragen")
        inspected = len(model.requests)
        await bot.hears(bot.root, "and what else?", dm)
        assert 0 < inspected < len(model.requests)
        inspection, talk = (model.requests[at].model_dump_json() for at in (inspected - 1, inspected))
        assert "is paused" in inspection and "ist pausiert" not in inspection
        # what was said in a talk before is a part of it, as it was said
        assert "is paused" in talk
