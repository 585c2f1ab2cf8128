"""What the screens show, to whom, and that whatever a member wrote is text on every one of them."""

from __future__ import annotations

import random
import re
from html import escape

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.visitor import Visitor

from bot.app.window import HostCortexWiring, site_of
from bot.domain.access import AuthorityTiers
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.messaging.policy.access import HOST_PERSON
from bot.ports.page_server import PageRequest
from bot.sentences import ENGLISH
from bot.window.site import LISTS, RECORDS
from prompts import FOLDER
from tests.bot.cortex.chat import ADMIN, chat
from tests.bot.cortex.chat import GENERAL as GENERAL_ID
from tests.bot.window.browser import HOST, Browser, of, read
from tests.bot.window.test_site import ON, ROOT, a_page
from tests.dialogs.bot import a_bot
from tests.fakes.clock import FakeEntropy
from tests.fakes.provider import calls

GENERAL, DM = of("console:#general"), of("console:dm:101")
SECRET = "sk-hunter2hunter2hunter2HUNTER2"
TRICKS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "[click](https://evil.example/x) <a href='https://evil.example'>x</a>",
    "javascript:alert(1)",
    "</pre></textarea></title><h1>own heading</h1>",
    "&lt;b&gt; &amp;lt;",
    "pay \u202egnp.exe\u202c now \u200bzero",
    "@everyone <@1> <#2>",
    "</script><style>*{display:none}</style>",
    "<t:1760000000:T>",
)


async def as_person(bot, site, person: PersonKey) -> Browser:
    browser = Browser(site)
    await browser.enters(site.sessions.signer.link(person, bot.clock.now(), FakeEntropy(f"{person}{bot.clock.now()}")))
    return browser


async def addresses(root: Browser) -> list[str]:
    """Every screen, by an address at which it shows something."""
    talk = await root.json(f"/channel?of={GENERAL}")
    asked = next(one["handle"] for one in talk["messages"] if one["outcome"] == "replied")
    way = await root.json(f"/message/{asked}")
    sent = way["requests"][-1]["handle"]
    found = [
        "/overview", f"/channel?of={GENERAL}", f"/context?of={GENERAL}&which=next", f"/context?of={GENERAL}&which=last",
        f"/diff?of={GENERAL}&a=last&b=next", f"/diff?of={GENERAL}&a={sent}&b=last", f"/memories?of={GENERAL}",
        f"/message/{asked}", f"/request/{sent}", f"/record/{way['turn']}",
        f"/record/{way['message']['answers'][0]['handle']}", f"/why?of={GENERAL}", f"/why?of={asked}",
        f"/work?of={GENERAL}", f"/cost?of={GENERAL}", f"/doctor?of={GENERAL}", "/doctor", "/audit", "/cortex",
    ]  # fmt: skip
    listed = (await root.json(f"/memories?of={GENERAL}"))["memories"]
    talks = (await root.json("/cortex"))["sessions"]
    return [
        *found,
        *(f"/{screen}/{one['handle']}" for screen in ("memory", "spread") for one in listed),
        *(f"/session/{one['handle']}" for one in talks),
    ]


async def lived(bot) -> None:
    await bot.says("ann", "@glassmind remember as decision with importance 0.8: we deploy on Fridays")
    await bot.says("ann", "@glassmind say good morning")
    await bot.says("ann", "say the walrus knows", "dm")
    await bot.says("root", "!cortex why #general", "dm")


async def test_every_screen_shows_the_values_of_its_json(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        root = await as_person(bot, site, ROOT)
        seen = await addresses(root)
        screens = {re.split(r"[/?]", address)[1] for address in seen}
        assert screens == {*LISTS, *RECORDS}
        for address in seen:
            value, text = await root.json(address), await root.text(address)
            if address.startswith(("/channel", "/message")):
                assert "good morning" in text or "deploy on Fridays" in text
            for name in ("handle", "total"):
                assert str(value.get(name, "")) in text


def english_words() -> set[str]:
    """What pages say in English, word for word as far as no value stands between, where that is two words or more."""
    found: set[str] = set()

    class Words(Visitor):
        def visit_TextElement(self, node):
            pieces = [" ".join(piece.replace("*", "").split()) for piece in node.value.split("`")[::2]]
            found.update(piece for piece in pieces if re.search(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}", piece))

    for source in (FOLDER / ENGLISH / "sentences").glob("window*.ftl"):
        if not source.stem.startswith("window_guessed"):
            Words().visit(FluentParser().parse(source.read_text("utf-8")))
    return found


def told(page: str) -> str:
    """Everything that a page says, without what stood in a request."""
    found = read(re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL))
    named = ("alt", "aria-label", "data-busy", "data-label", "placeholder", "title")
    return " ".join((found.text, *(attrs.get(name, "") for _, attrs in found.tags for name in named)))


async def test_everybody_reads_every_screen_in_their_own_language_at_the_same_time(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        await bot.says("root", "/language de", "dm")
        german, english = [await as_person(bot, site, person) for person in (ROOT, HOST_PERSON)]
        phrases, requests = english_words(), r"<pre.*?</pre>|<ul class=\"left\">.*?</ul>"
        assert len(phrases) > 100
        any_of_them = re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b")
        seen = [*await addresses(german), f"/memories?of={GENERAL}&q=walrus", "/message/i0000", "/nowhere"]
        for address in (*seen, "/overview"):
            ours, theirs = [(await one.get(address, accept_language="en")).body.decode() for one in (german, english)]
            assert '<html lang="de">' in ours and '<html lang="en">' in theirs, address
            assert any_of_them.findall(told(ours)) == [], address
            assert "Skip to the page" in any_of_them.findall(told(theirs)) and "Direkt zum Inhalt" not in told(theirs)
            if "context" in address:
                # what the model reads is the same, whoever looks at it
                assert re.findall(requests, ours, re.DOTALL) == re.findall(requests, theirs, re.DOTALL)
        ours, theirs = [(await one.get("/overview")).body.decode() for one in (german, english)]
        assert "ein privater Chat" in ours and "7.645 Token" in ours and "09.10. " in ours
        assert "a private chat" in theirs and "7,645 tokens" in theirs and "09 Oct " in theirs
        # of what an open page has, nothing in another language counts
        have = ".".join(re.findall(r'data-version="([^"]+)"', theirs))
        part = (await german.get(f"/overview?have={have}")).body.decode()
        assert "ein privater Chat" in part and "data-same" not in part
        # what programs read is the same in every language
        assert {one["name"] for one in (await german.json("/overview"))["channels"]} == {"a private chat", "#general"}
        assert "nichts Gespeichertes liegt später" in await german.text("/doctor")
        await bot.says("root", "/language en", "dm")
        # what was found out a moment ago is not asked for again, unless it was said in another language
        assert "nothing stored is dated later" in await german.text("/doctor")
        assert "Overview" in await german.text("/overview")


async def test_the_map_of_a_request_adds_up_to_what_was_counted(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        root = await as_person(bot, site, ROOT)
        for which in ("next", "last"):
            value = await root.json(f"/context?of={GENERAL}&which={which}")
            page = read((await root.get(f"/context?of={GENERAL}&which={which}")).body.decode())
            whole = value["context"]["token_summary"]
            assert sum(block["tokens"] for block in value["blocks"]) == whole["current_context"], whole
            assert sum(block["share"] for block in value["blocks"]) == pytest.approx(100, abs=1)
            bars = [attrs for tag, attrs in page.tags if tag == "rect" and attrs.get("height") == "40"]
            assert len(bars) == len(value["blocks"])
            assert sum(float(bar["width"]) for bar in bars) == pytest.approx(1000, abs=10)
        assert value["came_back"]["answer"] == "good morning"
        assert [one["name"] for one in value["blocks"] if one["kind"] == "tool"]


async def test_the_trail_has_the_time_of_every_stage(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        root = await as_person(bot, site, ROOT)
        talk = await root.json(f"/channel?of={GENERAL}")
        way = await root.json(f"/message/{talk['messages'][0]['handle']}")
        stages = [one["stage"] for one in way["stages"]]
        assert stages[0] == "arrived" and stages[-1] == "delivered"
        assert all(one["after_ms"] >= 0 and one["until_next_ms"] >= 0 for one in way["stages"])


async def test_a_paused_channel_is_seen_at_once_and_its_message_says_who_stopped_it(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind say good morning")
        await bot.says("root", "@glassmind !pause")
        await bot.says("ann", "@glassmind anybody?")
        root = await as_person(bot, site, ROOT)
        row = next(one for one in (await root.json("/overview"))["channels"] if one["name"] == "#general")
        assert (row["state"], row["outcomes"]) == ("paused", ["replied", "command", "gated"])
        talk = await root.json(f"/channel?of={GENERAL}")
        text = await root.text(f"/message/{talk['messages'][-1]['handle']}")
        assert "stopped pause" in text and "No request stands behind it." in text


@pytest.mark.parametrize("trick", TRICKS)
async def test_what_a_member_wrote_is_text_everywhere(tmp_path, trick):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", f"@glassmind remember as fact with importance 0.5: {trick}")
        await bot.says("ann", f"@glassmind say {trick}")
        root = await as_person(bot, site, ROOT)
        for address in await addresses(root):
            html = (await root.get(address)).body.decode()
            page = read(html)
            assert [tag for tag, _ in page.tags if tag in {"script", "style", "img", "iframe", "object"}] == ["script"]
            for tag, attrs in page.tags:
                assert not [name for name in attrs if name.startswith("on") or name in {"style", "srcdoc"}], (
                    address,
                    tag,
                )
                for name in ("href", "src", "action"):
                    assert attrs.get(name, "/").startswith(("/", "#")) and "//" not in attrs.get(name, "/"), attrs
            assert "own heading" not in [w for tag, w in zip(page.tags, page.words, strict=False) if tag[0] == "h1"]
            assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b]", html), address
            assert "49{" not in html
        if trick.isascii() and "<t:" not in trick:
            talk = (await root.get(f"/channel?of={GENERAL}")).body.decode()
            assert escape(trick).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in talk


async def test_no_secret_comes_onto_a_page(tmp_path):
    more = f'{ON}[providers.other]\nkind = "openai"\napi_key = "{SECRET}"\n'
    async with a_page(tmp_path, more) as (bot, site):
        await bot.says("ann", f"@glassmind remember as fact with importance 0.5: the key is {SECRET}")
        await bot.says("ann", f"@glassmind say {SECRET}")
        root = await as_person(bot, site, ROOT)
        for address in await addresses(root):
            for one in (address, f"{address.partition('?')[0]}.json?{address.partition('?')[2]}"):
                assert SECRET not in (await root.get(one)).body.decode(), one
        assert "[redacted:" in await root.text(f"/channel?of={GENERAL}")


async def test_to_whom_a_channel_is_not_open_nothing_of_it_exists(tmp_path):
    """An admin who administers no place, a moderator who moderates none, an owner before somebody's private chat."""
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        root = await as_person(bot, site, ROOT)
        seen = await addresses(root)
        mod, bo = PersonKey("console", UserId("102")), PersonKey("console", UserId("103"))
        bot.app.access.take_tiers(
            {"console": AuthorityTiers(frozenset({ROOT.user_id}), frozenset({mod.user_id}), frozenset({bo.user_id}))}
        )
        for person in (mod, bo):
            browser = await as_person(bot, site, person)
            for address in seen:
                found = await browser.get(address)
                # what is about no channel is open to admins, who see there what is their own
                opens = {"/overview", *(["/doctor", "/audit", "/cortex"] if person == mod else [])}
                assert found.status == (200 if address in opens else 404), (person, address)
                shown = found.body.decode()
                assert not re.search("good morning|deploy on Fridays|walrus|Known:", shown.replace(address, "")), (
                    address
                )
            there, nowhere = [
                re.sub("#[a-z]+", "", (await browser.get(f"/channel?of={of(one)}")).body.decode())
                for one in ("console:#general", "console:#nothing")
            ]
            assert there == nowhere
        # other people's private chats stay theirs, though an owner asks
        for address in (f"/channel?of={DM}", f"/context?of={DM}&which=next", f"/memories?of={DM}"):
            assert (await root.get(address)).status == 404
        assert "walrus" not in await root.text("/overview")


async def test_what_an_admin_asks_the_cortex_in_private_is_on_nobody_elses_page(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        await bot.says("root", "!cortex why is the canary silent in #general?", "dm")
        key = ChannelKey(MAIN, ChannelId("console:dm:1"))
        asked = (await bot.store.ledger.recent(key, 1))[0]
        host = Browser(site)
        await host.enters(site.sessions.signer.link(HOST_PERSON, bot.clock.now(), FakeEntropy("host")))
        shown = await host.get(f"/channel?of={of('console:dm:1')}")
        assert shown.status == 200 and "canary" not in shown.body.decode()
        root = await as_person(bot, site, ROOT)
        assert "canary" in await root.text(f"/channel?of={of('console:dm:1')}")
        assert asked.inbound.text


async def test_the_host_sees_every_channel_of_a_bot_that_never_runs(tmp_path):
    async with a_bot(tmp_path, more=ON) as bot:
        await lived(bot)
        site = site_of(bot.app, bot.app.config.web_page, None)
        host = Browser(site)
        await host.enters(site.sessions.signer.link(HOST_PERSON, bot.clock.now(), FakeEntropy("host")))
        assert "console:dm:101" in await host.text("/overview")
        assert "the walrus knows" in await host.text(f"/channel?of={DM}")
        for address in await addresses(host):
            assert (await host.get(address)).status == 200
        # nobody else is let in by a page over a directory
        root = await as_person(bot, site, ROOT)
        assert (await root.get("/overview")).status == 403
        assert HostCortexWiring(bot.app).targets.caller(ROOT, "root").authority == 0


async def test_an_admin_sees_what_they_administer_and_a_moderator_its_memories(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        admin, moderator = PersonKey("console", UserId("2")), PersonKey("console", UserId("1"))
        bot.app.access.take_tiers(
            {"console": AuthorityTiers(admins=frozenset({admin.user_id}), moderators=frozenset({moderator.user_id}))}
        )
        seen = await as_person(bot, site, admin)
        for address in await addresses(seen):
            assert (await seen.get(address)).status == 200, address
        assert "console:dm:101" not in await seen.text("/overview")
        assert (await seen.get(f"/channel?of={DM}")).status == 404
        looks = await as_person(bot, site, moderator)
        assert "you may look through its memories" in await looks.text("/overview")
        assert "deploy on Fridays" in await looks.text(f"/memories?of={GENERAL}")
        for address in await addresses(seen):
            opens = address.startswith(("/overview", "/memor", "/spread"))
            assert (await looks.get(address)).status == (200 if opens else 404), address


async def test_an_admin_who_cannot_read_a_channel_sees_how_messages_ended_and_no_words(tmp_path):
    async with chat(tmp_path) as bot:
        bot.platform.readers.discard((ADMIN, GENERAL_ID))
        await bot.hears("the walrus is kept in the cellar")
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        admin = await as_person(bot, site, PersonKey("console", UserId(ADMIN)))
        where = of(GENERAL_ID)
        talk = await admin.json(f"/channel?of={where}")
        assert [one["outcome"] for one in talk["messages"]] == ["replied"] and not talk["reads"]
        way = await admin.json(f"/message/{talk['messages'][0]['handle']}")
        pages = [
            f"/channel?of={where}", f"/message/{talk['messages'][0]['handle']}", f"/context?of={where}&which=last",
            f"/request/{way['requests'][0]['handle']}", f"/record/{way['turn']}", f"/memories?of={where}",
            f"/diff?of={where}&a=last&b=next",
        ]  # fmt: skip
        for address in pages:
            for one in (address, f"{address.partition('?')[0]}.json?{address.partition('?')[2]}"):
                found = await admin.get(one)
                assert found.status == 200 and b"walrus" not in found.body, one
        assert "words withheld" in await admin.text(pages[0])
        bot.platform.readers.add((ADMIN, GENERAL_ID))
        assert "walrus" in await admin.text(pages[0]) and "walrus" in await admin.text(pages[2])


async def test_a_memory_has_its_history(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        root = await as_person(bot, site, ROOT)
        name = (await root.json(f"/memories?of={GENERAL}"))["memories"][0]["handle"]
        text = await root.text(f"/memory/{name}")
        assert "Its history" in text and "deploy on Fridays" in text and f"!cortex memory history {name}" in text


async def test_the_page_says_why_with_the_words_of_the_rules_and_shows_the_quote_in_the_request(tmp_path):
    async with chat(tmp_path, *[calls(("skip", {"category": "instructed", "reason": "told so"}))] * 3) as bot:
        await bot.remembers("Do not answer ann any more.")
        said = await bot.hears("are you there?")
        site = site_of(bot.app, bot.config.web_page, bot.app.cortex_wiring)
        admin = await as_person(bot, site, PersonKey("console", UserId(ADMIN)))
        about = handle(HandleKind.INBOUND, (await bot.inbound(said)).id)
        value, text = await admin.json(f"/why?of={about}"), await admin.text(f"/why?of={about}")
        found = value["findings"][0]
        assert found["rule"] == "MEM-DIRECTIVE" and found["verdict"] in text
        quote = found["quotes"][0]
        assert quote["text"] in "Do not answer ann any more." and quote["stands_in"].startswith("r")
        html = (await admin.get(f"/why?of={about}")).body.decode()
        link = next(one for one in read(html).links() if "mark=" in one)
        shown = (await admin.get(link.partition("#")[0])).body.decode()
        assert f'<mark id="marked">{quote["text"]}</mark>' in shown
        nowhere = await admin.text(f"/request/{quote['stands_in']}?mark=nobody+said+so")
        assert "The quote does not stand in what you may see" in nowhere
        # who cannot read the channel gets the finding and not the words
        bot.platform.readers.discard((ADMIN, GENERAL_ID))
        value = await admin.json(f"/why?of={about}")
        assert value["findings"][0]["quotes"][0]["text"] is None
        assert "Do not answer" not in (await admin.get(link.partition("#")[0])).body.decode()


async def test_a_talk_with_the_cortex_is_read_on_the_page_by_who_had_it_alone(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        root, mod = await as_person(bot, site, ROOT), PersonKey("console", UserId("2"))
        talk = (await root.json("/cortex"))["sessions"][0]
        assert talk["channel"]["name"] == "#general"
        value, text = await root.json(f"/session/{talk['handle']}"), await root.text(f"/session/{talk['handle']}")
        assert value["said"] and value["said"][0]["text"].splitlines()[0] in text
        other = await as_person(bot, site, mod)
        assert (await other.json("/cortex"))["sessions"] == []
        assert (await other.get(f"/session/{talk['handle']}")).status == 404
        host = await as_person(bot, site, HOST_PERSON)
        assert (await host.get(f"/session/{talk['handle']}")).status == 404


async def test_what_was_remembered_at_a_time_is_a_slider(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await bot.says("ann", "@glassmind remember as fact with importance 0.5: the walrus sings")
        bot.clock.advance(3600)
        then = bot.clock.now()
        bot.clock.advance(3600)
        await bot.says("ann", "@glassmind remember as fact with importance 0.5: the heron dances")
        bot.clock.advance(120)
        root = await as_person(bot, site, ROOT)
        past = await root.json(f"/memories?of={GENERAL}&at={then}")
        assert [one["content"] for one in past["memories"]] == ["the walrus sings"]
        assert past["slider"]["first"] <= then <= past["slider"]["now"]
        page = read((await root.get(f"/memories?of={GENERAL}&at={then}")).body.decode())
        (slides,) = [attrs for tag, attrs in page.tags if attrs.get("type") == "range"]
        assert slides["value"] == str(then) and "heron" not in page.text
        assert "heron" in await root.text(f"/memories?of={GENERAL}&at={bot.clock.now()}")
        assert (await root.get(f"/memories?of={GENERAL}&at=1")).status in {200, 404}


async def test_what_came_of_a_memory_is_drawn_by_the_server(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        root = await as_person(bot, site, ROOT)
        name = (await root.json(f"/memories?of={GENERAL}"))["memories"][0]["handle"]
        value = await root.json(f"/spread/{name}")
        assert value["total"] >= 1 and {one["kind"] for one in value["records"]} >= {"request"}
        asked = next(one for one in value["layers"] if one["name"] == "requests")
        page = read((await root.get(f"/spread/{name}")).body.decode())
        assert [tag for tag, attrs in page.tags if tag == "path" and attrs["class"] == "y-requests"]
        assert sum(one["kind"] == "request" for one in value["records"]) == asked["direct"] + asked["derived"]


async def test_work_cost_doctor_and_audit_say_what_the_chat_says(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        root = await as_person(bot, site, ROOT)
        said = "\n".join(await bot.says("root", "!cortex usage #general", "dm"))
        spent = await root.json(f"/cost?of={GENERAL}")
        assert f"in total · {spent['all'][0]['requests']} requests" in said
        assert sum(one["input"] for one in spent["by_process"]) == spent["all"][0]["input"]
        said = "\n".join(await bot.says("root", "!cortex doctor #general", "dm"))
        looked = await root.json(f"/doctor?of={GENERAL}")
        assert looked["summary"] in said and len(looked["checks"]) > 5
        # who reads it again at once asks no service again
        assert (await root.json(f"/doctor?of={GENERAL}"))["at"] == looked["at"]
        bot.clock.advance(21)
        assert (await root.json(f"/doctor?of={GENERAL}"))["at"] > looked["at"]
        audit = await root.text("/audit")
        assert "viewed records" in audit and "console:#general" in audit and "by everybody" in audit
        # of who came by a link the name is not known, and a number is no name
        assert "root console 1" in audit and "1 console 1" not in audit
        assert "No branch and no worker" in await root.text(f"/work?of={GENERAL}")


async def test_empty_states_say_what_to_do(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        root = await as_person(bot, site, ROOT)
        assert "No channel yet" in await root.text("/overview")
        await bot.says("ann", "@glassmind say good morning")
        assert "Nothing remembered yet" in await root.text(f"/memories?of={GENERAL}")
        assert "Nothing found" in await root.text(f"/memories?of={GENERAL}&q=walrus")
        missing = await root.get("/message/i0000")
        assert missing.status == 404 and "There is nothing here for you" in missing.body.decode()


async def test_whatever_is_asked_for_is_answered_without_a_traceback(tmp_path):
    async with a_page(tmp_path) as (bot, site):
        await lived(bot)
        root = await as_person(bot, site, ROOT)
        chance, pieces = random.Random(7), [
            *LISTS, *RECORDS, "i", "m27d4", "r3x7b", ".json", "/", "//", "..", "%2e", "%00", "\x00", "ÿ", "<",
            "'", "?", "a" * 90,
        ]  # fmt: skip
        names = ["of", "a", "b", "q", "page", "which", "x", ""]
        values = ["", "last", "next", "worked", "running", "main/console:#general", "console%3A%23general", "-1",
                  "9" * 30, "%ff%fe", "%00", "i0000", "r0000", "<script>", "here", "main/", "/", "\ud800",
                  "none/console:dm:101"]  # fmt: skip
        wrong = []
        for number in range(1500):
            if not number % 100:
                bot.clock.advance(61)
            path = "/" + "/".join(chance.choices(pieces, k=chance.randrange(1, 4)))
            query = "&".join(f"{chance.choice(names)}={chance.choice(values)}" for _ in range(chance.randrange(4)))
            cookie = (
                root.cookie
                if chance.random() < 0.9
                else chance.choice(["", "a=b", "glassmind-8787=\x00", ";;;", "ÿ=ÿ"])
            )
            headers = {"host": [HOST], "cookie": [cookie]}
            found = await site.answer(PageRequest(chance.choice(["GET", "GET", "HEAD", "POST"]), path, query, headers))
            if found.status >= 500:
                wrong.append((found.status, path, query))
        assert wrong == []
