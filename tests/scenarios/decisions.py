"""A model that answers with silence: by its own choice, because a memory orders it, or because nothing came out."""

from __future__ import annotations

from bot.domain.finding import Confidence
from bot.domain.memory import MemoryType
from tests.dialogs.plots import call
from tests.fakes import values as v
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.stage import Stage
from tests.servers.model import Calls, Empty, Says

SILENT, EMPTY, DIRECTIVE = "DEC-SILENT", "DEC-EMPTY", "MEM-DIRECTIVE"
THOUGHT = "THOUGHT-ONLY"
LACKING, CONFLICT, FALSE = "TOOL-MISSING", "PROMPT-CONFLICT", "FALSE-SUCCESS"
DENIED, LOST, TWO_SIDES, AGAIN = "DENIED-CONTEXT", "LOST-FACT", "CONTRADICTION", "OWN-REFUSAL"
SHY = "You are the host of this chat. Only answer when you are mentioned, and then briefly."
NOTICE = "This message was brought to you by the town bridge; please keep the rules of both chats in mind at all times."
TWICE = "You are the host of this chat: warm, brief, a little dry, and you never talk about the weather."
SKIP = Calls([call("skip", reason="they talk to each other", category="not_for_me")])
DECLINE = Calls([call("skip", reason="this would do harm", category="declined")])
OBEY = Calls([call("skip", reason="I was told not to answer", category="instructed")])
ORDER = "Decision: never answer ann again."
ONLY_THOUGHTS = Empty(finish_reason="length", reasoning_tokens=1000)
LONG = "we walked along the river and counted herons " * 4
LOOKS_UP = Calls([call("memory_recall", query="pears")])


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


async def ann_has_it_remember(stage: Stage) -> None:
    await stage.says("ann", "@glassmind please remember that I like pears")


async def ann_has_it_remind(stage: Stage) -> None:
    await stage.says("ann", "@glassmind erinnere mich morgen an die Birnen")
    stage.replied = stage.message_id("Klar, ich erinnere dich morgen an die Birnen!")


async def ann_asks_what_she_told(stage: Stage) -> None:
    await stage.says("ann", "@glassmind my dog is called Rex")
    await stage.says("ann", "@glassmind what is my dog's name?")


async def ann_asks_what_bob_told(stage: Stage) -> None:
    await stage.says("bob", "@glassmind my dog is called Rex")
    await stage.says("ann", "@glassmind what is my dog's name?")


async def ann_asks_what_is_remembered(stage: Stage) -> None:
    await remembered(stage, "Das WLAN-Passwort ist Sommer2024.")
    await stage.says("ann", "@glassmind wie lautet das WLAN-Passwort?")


async def somebody_begins_anew(stage: Stage) -> None:
    await stage.says("ann", "@glassmind my cat is called Pear")
    await stage.says("mod", "/new")
    await stage.says("ann", "@glassmind what is my cat called?")


async def a_summary_leaves_it_out(stage: Stage) -> None:
    stage.server.answer = lambda _: Says("Noted.")
    await stage.says("ann", "@glassmind the meeting is on thursday at 18:30")
    while not any(one.state.stands for one in await stage.store.compactions.recent(stage.home, 10)):
        await stage.says("ann", f"@glassmind {LONG}")
    denial = Says(stage.setting.words("You never told me when the meeting is."))
    stage.server.answer = lambda _: denial
    await stage.says("ann", "@glassmind when is the meeting?")


async def ann_asks_where_the_office_is(stage: Stage) -> None:
    await remembered(stage, "The office address is 12 Elm Street.")
    await remembered(stage, "The office address is 40 Oak Avenue.")
    await stage.says("ann", "@glassmind what is the office address?")


async def ann_asks_about_one_of_two(stage: Stage) -> None:
    await remembered(stage, "Ann's dog is called Rex.")
    await remembered(stage, "Ann's cat is called Bruno.")
    await stage.says("ann", "@glassmind what is my dog called?")


async def ann_asks_for_loot_twice(stage: Stage) -> None:
    await stage.says("ann", "@glassmind who gets the loot?")
    await stage.says("ann", "@glassmind and who gets the loot tomorrow?")


async def ann_asks_for_a_search(stage: Stage) -> None:
    await stage.says("ann", "@glassmind do a Web-Search for pears!")


async def a_bridge_adds_a_notice(stage: Stage) -> None:
    for number in range(5):
        await stage.says("ann", f"@glassmind {NOTICE} Question {number}: what is new?")


async def everybody_says_good_morning(stage: Stage) -> None:
    for number in range(5):
        await stage.says("ann", f"@glassmind good morning to all, any news for day {number}?")


async def ann_talks(stage: Stage) -> None:
    await stage.says("mod", "@glassmind !active")
    await stage.says("ann", "what a day")


async def remembered(stage: Stage, content: str) -> int:
    (row,) = await stage.store.memories.add(
        [
            v.memory(
                stage.setting.words(content),
                type=MemoryType.DECISION,
                importance=0.9,
                created_at=stage.bot.clock.now(),
                scope_id=stage.home.channel,
                channel=stage.home.channel,
            )
        ]
    )
    stage.passes(7200)
    return row


async def a_memory_silences_ann(stage: Stage) -> None:
    await remembered(stage, ORDER)
    await ann_asks(stage)


async def a_memory_silences_everybody(stage: Stage) -> None:
    await remembered(stage, "Policy: do not reply to anyone in this channel.")
    await ann_asks(stage)


async def it_was_forgotten_since(stage: Stage) -> None:
    await a_memory_silences_ann(stage)
    await stage.tells("root", "!cortex why", "#general")
    await stage.tells("root", "/press Forget")
    await stage.bot.types("/press Forget")


async def james_has_ann_silenced(stage: Stage) -> None:
    await stage.says("james", "@glassmind please never answer ann again")
    await stage.waits(7200)
    await ann_asks(stage)


async def a_harmless_memory(stage: Stage) -> None:
    await remembered(stage, "ann likes pears.")
    await ann_asks(stage)


SILENCE = (
    Scenario(
        "it skips a question", SILENT, ann_asks, ("called skip", "was addressed", "silence_rules"), script=(DECLINE,)
    ),
    Scenario("it skips talk", SILENT, ann_talks, ("called skip", "was not addressed"), script=(SKIP,)),
    Scenario(
        "it only reacts", SILENT, ann_asks, ("only reacted",), script=(Calls([call("react", emoji="👍")]), Empty())
    ),
    Scenario("it skips beside a harmless memory", SILENT, a_harmless_memory, ("called skip",), script=(DECLINE,)),
)
NOTHING = (
    Scenario("nothing, twice", EMPTY, ann_asks, ("`stop`", "Try another model"), script=(Empty(), Empty())),
    Scenario(
        "all spent on thinking",
        THOUGHT,
        ann_asks,
        ("`length`", "1,000 of them reasoning", "max_output_tokens"),
        script=(ONLY_THOUGHTS, ONLY_THOUGHTS),
    ),
    Scenario(
        "the filter took it",
        EMPTY,
        ann_asks,
        ("filtered", "another model"),
        script=(Empty(finish_reason="content_filter"),) * 2,
    ),
    Scenario("it looks things up for ever", EMPTY, ann_asks, ("3 calls", "model.rounds"), script=(LOOKS_UP,) * 4),
)
ORDERS = (
    Scenario(
        "a memory orders silence",
        DIRECTIVE,
        a_memory_silences_ann,
        ("tells the bot not to answer", "the memory list", "2 h old", "Forget m"),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "a memory silences everybody",
        DIRECTIVE,
        a_memory_silences_everybody,
        ("tells the bot not to answer", "Forget m"),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "a memory that was forgotten since",
        DIRECTIVE,
        it_was_forgotten_since,
        ("forgotten since", "ask again"),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "a member has another silenced",
        DIRECTIVE,
        james_has_ann_silenced,
        ("tells the bot not to answer", "by a non-admin", "Forget m"),
        sure=Confidence.LIKELY,
        script=(Calls([call("memory_save", content=ORDER, type="decision")]), Says("Noted."), OBEY),
    ),
)
PROMPTS = (
    Scenario(
        "the persona forbids what the mode asks for",
        CONFLICT,
        ann_talks,
        ("contradicts itself", "persona", "active", "the mode decides when"),
        sure=Confidence.LIKELY,
        script=(SKIP,),
        settings={"bot": {"persona": SHY}},
    ),
    Scenario(
        "the persona says it twice",
        CONFLICT,
        ann_asks,
        ("repeats itself", "is in section identity twice", "Reword"),
        settings={"bot": {"persona": f"{TWICE}\n\n{TWICE}"}},
    ),
    Scenario(
        "something adds the same text to every message",
        CONFLICT,
        a_bridge_adds_a_notice,
        ("same text in every message", "5 of the newest 5", "This message was brought", "put it into the persona"),
        sure=Confidence.LIKELY,
    ),
    Scenario("people begin alike", HEALTHY, everybody_says_good_morning, ("was answered",)),
    Scenario(
        "a shy persona where it is mentioned",
        HEALTHY,
        ann_asks,
        ("was answered",),
        settings={"bot": {"persona": SHY}},
    ),
    Scenario(
        "it looks for a tool that is not there",
        LACKING,
        ann_asks,
        ("lacked a tool", "weather_report", "the 22 it was offered", "Nothing in the bot has a tool", "bot.persona"),
        script=(Calls([call("weather_report", place="here")]), Says("My thermometer is broken today.")),
    ),
    Scenario(
        "it looks for a tool of workers that is off",
        LACKING,
        ann_asks,
        ("web_search", "The worker has it, but it is off (tools.web.enabled)", "Open it"),
        script=(Calls([call("web_search", query="pears")]), Says("My search is broken today.")),
    ),
    Scenario(
        "it tells of a tool that is off",
        LACKING,
        ann_asks,
        ("The answer speaks of web_search", "it is off (tools.web.enabled)", "Open it"),
        script=(Says("Yes, but my web search is broken today."),),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "it is asked for a tool that is off",
        LACKING,
        ann_asks_for_a_search,
        ("The message speaks of web_search", "it is off (tools.web.enabled)"),
        script=(Says("I am not in the mood."),),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "it looks for a tool of workers",
        LACKING,
        ann_asks,
        ("web_search", "Only the worker has it.", "bot.persona"),
        script=(Calls([call("web_search", query="pears")]), Says("My search is broken today.")),
        settings={"tools": {"web": {"enabled": True}}},
    ),
    Scenario(
        "it looks for a tool of the cortex",
        LACKING,
        ann_asks,
        ("context_inspect", "Only the cortex has it"),
        script=(Calls([call("context_inspect", channel_id="here")]), Says("I may not look.")),
    ),
)
REFUSED = (
    Scenario(
        "it wants to skip, may not, and says nothing",
        "SKIP-REFUSED",
        ann_asks,
        ("wanted to stay silent", "skip (not_for_me)", "wrote nothing", "the model's reason"),
        script=(SKIP, Empty(), Empty()),
    ),
)
CLAIMS = (
    Scenario(
        "it claims to have saved",
        FALSE,
        ann_has_it_remember,
        ("claims what it did not do", "something was saved", "it called no tool"),
        script=(Says("Got it, I've saved that you like pears."),),
    ),
    Scenario(
        "it claims to have saved what could not be saved",
        FALSE,
        ann_has_it_remember,
        ("something was saved", "its call of memory_save failed"),
        script=(Calls([call("memory_save", content="")]), Says("Got it, I've saved that.")),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "it promises to remind and has nothing to do it with",
        FALSE,
        ann_has_it_remind,
        ("it will remind somebody", "only called memory_save", "no tool for that"),
        script=(
            Calls([call("memory_save", content="ann wants to be reminded of the pears", type="todo")]),
            Says("Klar, ich erinnere dich morgen an die Birnen!"),
        ),
        why="/reply {replied} !cortex why",
    ),
    Scenario(
        "it saved what it says",
        HEALTHY,
        ann_has_it_remember,
        ("was answered",),
        script=(
            Calls([call("memory_save", content="ann likes pears", type="preference")]),
            Says("Got it, I've saved that."),
        ),
    ),
    Scenario(
        "it offers to save",
        HEALTHY,
        ann_has_it_remember,
        ("was answered",),
        script=(Says("I have not saved anything yet. Shall I save it?"),),
    ),
)
LOOT = Calls([call("skip", reason="loot is not for me to judge", category="declined")])
NO_LOOT = Says("I can't help with the loot table, ask an officer.")
FACTS = (
    Scenario(
        "it denies what was said to it",
        DENIED,
        ann_asks_what_she_told,
        ("denies what it was told", "a message (i", "says it"),
        sure=Confidence.LIKELY,
        script=(Says("Noted."), Says("I don't know your dog's name.")),
    ),
    Scenario(
        "it denies what it remembers",
        DENIED,
        ann_asks_what_is_remembered,
        ("denies what it was told", "a memory (m", "the memory list"),
        sure=Confidence.LIKELY,
        script=(Says("Ich kenne das WLAN-Passwort leider nicht."),),
    ),
    Scenario(
        "it does not know what another has",
        HEALTHY,
        ann_asks_what_bob_told,
        ("was answered",),
        script=(Says("Noted."), Says("I don't know your dog's name.")),
    ),
    Scenario(
        "a fresh start took the fact away",
        "FRESH-CHAT",
        somebody_begins_anew,
        ("a fresh chat was started", "mod started a fresh chat", "said before that, in i", "/new undo"),
        script=(Says("Noted."), Says("You never told me what your cat is called.")),
    ),
    Scenario(
        "a summary left the fact out",
        LOST,
        a_summary_leaves_it_out,
        ("sees less than before", "Compaction k", "Its summary lacks 18:30"),
        sure=Confidence.LIKELY,
        script=(Says("Noted."),),
        settings={"model": {"context_window": 3700, "max_output_tokens": 300}},
    ),
    Scenario(
        "two memories exclude each other",
        TWO_SIDES,
        ann_asks_where_the_office_is,
        ("told two versions", "a memory (m", "another value"),
        sure=Confidence.LIKELY,
        script=(Says("The office is at 12 Elm Street."),),
    ),
    Scenario(
        "two memories are about two things",
        HEALTHY,
        ann_asks_about_one_of_two,
        ("was answered",),
        script=(Says("Your dog is called Rex."),),
    ),
    Scenario(
        "its own silence makes it silent again",
        AGAIN,
        ann_asks_for_loot_twice,
        ("repeats its own silence", "did it again"),
        sure=Confidence.LIKELY,
        script=(LOOT, LOOT),
    ),
    Scenario(
        "its own refusal makes it refuse again",
        AGAIN,
        ann_asks_for_loot_twice,
        ("repeats its own refusal",),
        sure=Confidence.LIKELY,
        script=(NO_LOOT, NO_LOOT),
    ),
)
SCENARIOS = (*SILENCE, *NOTHING, *ORDERS, *PROMPTS, *REFUSED, *CLAIMS, *FACTS)
