"""Evidence of answers that came and are not what they should be, and of what models do not take."""

from __future__ import annotations

from typing import Any

from bot.diagnostics.evidence.evidence import (
    ConfiguredLists,
    DroppedMessages,
    Evidence,
    ProcessTool,
    SaidMessage,
    SiblingThread,
)
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind, ResponseMode
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome
from bot.domain.llm import TokenUsage
from bot.domain.messages import Attachment, AttachmentKind, ImagePart, Message, OutboundAddress, Role, TextPart
from bot.domain.stale_config import StaleConfig, StaleKey
from bot.domain.turn import StoredRequest, ToolCallRecord
from tests.fakes.evidence import (
    INBOUND,
    NOW,
    answered,
    call,
    evidence,
    failed,
    failed_turn,
    gated,
    healthy,
    requested,
    sent,
    skipped,
    turn,
)
from tests.fakes.values import author, llm_request, llm_response, message, section, settings, stats, stopped
from tests.fakes.values import call as skip_call

DENIAL = "I don't know your dog's name."
REX = message('{"at":"2026-01-01T00:00:00Z","from":"ann","id":"1"}\nmy dog is called Rex', author=author(), inbound=7)
GONE = SaidMessage(handle="i0007", author="ann", text="my dog is called Rex")
LOOT = '{"reason":"%s","category":"declined"}'
SUMMED = CompactionSummary(type=SummaryType.HALF, compaction=3, count=4, method="model", created_at=NOW, sources=())
PICTURE = ImagePart(name="pear.png", mimetype="image/png", data="aGVsbG8=" * 400)
SHOWN = message("look", parts=(PICTURE, TextPart(text="look")), inbound=INBOUND)
EARLIER = SHOWN.replace(inbound=INBOUND - 5)
FILES = '[{"name":"a.zip","seen":"not shown: %s","type":"application/zip"}]'
HEADER = f'{{"at":"2025-10-09T08:53:20Z","files":{FILES},"from":"ann","id":"100"}}'
FILE = Attachment(kind=AttachmentKind.OTHER, name="a.zip", mimetype="application/zip", reference="f1", size=1200)
PARAGRAPH = "You are the host of this chat: warm, brief, a little dry, and you never talk about the weather."
SHY = "Do not reply unless you are mentioned."
LIST = StaleConfig(keys=(StaleKey(key="platforms.console.allowed_users", file="config.toml", live=True),))
KEY = StaleConfig(keys=(StaleKey(key="providers.simulated.api_key", file=".env", overruled=True),))
PERSONA = StaleConfig(keys=(StaleKey(key="bot.persona", file="config.toml"),))
SENDER = gated(stopped("sender", "user_denied", store_text=False, list="allowed_users", entries="42", user_id="100"))
LONG = "And the rest of what there is to say about pears, plums, apples and the weather of last week."


def shown(*requests: StoredRequest, **changes: object) -> Evidence:
    """An answered message with these requests."""
    return healthy(turn=turn(requests=requests, outbox=(sent(),)), **changes)


def read(tokens: int, total: int = 9_000) -> Evidence:
    """An answer whose service says that it read so many tokens of what was sent."""
    response = llm_response("hi").replace(usage=TokenUsage(input=tokens, output=2))
    return shown(requested(answered().replace(response=response), stats=stats(total=total, window=128_000)))


NO_SKIP = call("skip", '{"reason":"they talk","category":"not_for_me"}', success=False)


def claimed(text: str, *calls: ToolCallRecord) -> Evidence:
    """An answer of these words, by a turn with these calls."""
    answer = sent()
    return healthy(turn=turn(calls=calls, outbox=(answer.replace(body=answer.body.replace(text=text)),)))


def denied(*said: Message, **changes: Any) -> Evidence:
    """An answer that denies to know a name, to which this was said before."""
    answer = sent()
    request = requested(answered(DENIAL), request=llm_request(said or (message(),)))
    outbox = (answer.replace(body=answer.body.replace(text=DENIAL)),)
    return healthy(turn=turn(requests=(request,), outbox=outbox), **changes)


def told(*lines: str, answer: str) -> Evidence:
    """An answer of these words, given by a persona of these lines and of what stands in a summary."""
    persona, *summaries = lines
    request = llm_request(
        system=(("identity", persona),),
        messages=[Message(role=Role.USER, parts=(TextPart(text=one),), summary=SUMMED) for one in summaries],
    )
    sections = (section("identity", ("config:bot.persona",), persona),)
    outbox = (sent().replace(body=sent().body.replace(text=answer)),)
    asked = requested(answered(answer), request=request, sections=sections)
    return healthy(turn=turn(requests=(asked,), outbox=outbox))


def repeated(reason: str) -> Evidence:
    """A silence for a reason, of which an earlier one stood in the request."""
    about = skipped(arguments=LOOT % reason, mentions_bot=True)
    request = requested(answered(""), request=llm_request((message(inbound=7), skip_call("skip", LOOT % reason))))
    assert about.turn is not None
    return about.replace(turn=about.turn.replace(requests=(request,)))


def spoke(text: str) -> Evidence:
    """A turn that sent something through the tool, and wrote this afterwards."""
    calls = (call("reply", '{"text":"Yes."}'),)
    return healthy(turn=turn(requests=(requested(answered(text)),), calls=calls, outbox=(sent(),)))


def refused(words: str, status: int, *messages: Message) -> Evidence:
    fault = "not_found" if status == 404 else "bad_request"
    attempt = failed(fault, status).replace(error=f"HTTP {status}: {words}")
    return failed_turn(f"provider: {fault}", shape={"requests": (requested(attempt, request=llm_request(messages)),)})


def prompted(*blocks: str, about: Evidence) -> Evidence:
    """The same, asked with a persona in the blocks `identity`."""
    assert about.turn is not None
    request = llm_request(system=tuple(("identity", block) for block in blocks))
    return about.replace(turn=about.turn.replace(requests=(requested(answered(""), request=request),)))


def attached(reason: str) -> Evidence:
    header = Message(role=Role.USER, parts=(TextPart(text=f"{HEADER % reason}\nwhat is this?"),), inbound=INBOUND)
    about = shown(requested(answered(), request=llm_request((header,))))
    assert about.target.about is not None
    stored = about.target.about.inbound
    return about.replace(
        target=about.target.replace(
            about=about.target.about.replace(
                inbound=stored.replace(inbound=stored.inbound.replace(attachments=(FILE,)))
            )
        )
    )


def beside(*siblings: SiblingThread) -> Evidence:
    return shown(requested(answered()), siblings=siblings)


def sibling(name: str, *, is_parent: bool = False, count: int = 1) -> SiblingThread:
    return SiblingThread(
        channel=ChannelId(f"console:#{name}"), name=f"#{name}", is_parent=is_parent, inbound=77, at=NOW, count=count
    )


TOOL_CALL = call("web_search", success=False, result_output='There is no tool "web_search" here.')
ASTRAY = sent(
    body=sent().body.replace(to=OutboundAddress(platform="console", channel=ChannelId("console:#random"))),
)

SUBTLE: dict[str, tuple[str, Evidence]] = {
    "text after the reply tool": ("OUT-SUPPRESS", spoke(LONG)),
    "addressed elsewhere": ("ROUTE-WRONG", healthy(turn=turn(outbox=(ASTRAY,)))),
    "a thread beside its channel": ("SESS-KEY", beside(sibling("general", is_parent=True, count=3))),
    "a thread for each question": ("SESS-KEY", beside(sibling("a"), sibling("b"))),
    "a list that was edited": (
        "CFG-STALE",
        evidence(SENDER, lists=ConfiguredLists(allowed_users=("42",)), stale=LIST),
    ),
    "a key that the environment overrules": (
        "CFG-STALE",
        failed_turn("provider: auth", failed("auth", 401), stale=KEY),
    ),
    "a persona that waits for a restart": ("CFG-STALE", healthy(stale=PERSONA)),
    "no tools": ("MODEL-TOOLS", refused("registry.ollama.ai/library/gemma3:4b does not support tools", 400)),
    "no endpoint with tools": ("MODEL-TOOLS", refused("No endpoints found that support tool use.", 404)),
    "half a window": ("CTX-WINDOW", read(2_050)),
    "far less than was sent": ("CTX-WINDOW", read(3_333)),
    "a new picture is refused": ("IMG-POISON", refused("You uploaded an unsupported image.", 400, SHOWN)),
    "an old picture is refused": ("IMG-POISON", refused("No endpoints found that support image input", 404, EARLIER)),
    "a tool that nobody has": (
        "TOOL-MISSING",
        healthy(turn=turn(calls=(TOOL_CALL,), outbox=(sent(),))),
    ),
    "a tool for admins": (
        "TOOL-MISSING",
        healthy(
            turn=turn(calls=(TOOL_CALL,), outbox=(sent(),)),
            tools=(ProcessTool(name="web_search", process=ProcessKind.CHANNEL, authority=Authority.ADMIN),),
        ),
    ),
    "it says that it saved": ("FALSE-SUCCESS", claimed("I've saved that for you.")),
    "a skip that was refused": ("SKIP-REFUSED", failed_turn("empty", answered(""), shape={"calls": (NO_SKIP,)})),
    "it denies what was said": ("DENIED-CONTEXT", denied(REX)),
    "what was said is gone": (
        "LOST-FACT",
        denied(dropped=(DroppedMessages(at=NOW - 1, messages=(GONE,), compaction=3, missing=("Rex",)),)),
    ),
    "persona and summary exclude each other": (
        "CONTRADICTION",
        told("The office opens at 9:00.", "The office opens at 10:00.", answer="The office opens at 9:00."),
    ),
    "it was silent for that reason before": ("OWN-REFUSAL", repeated("the loot is not mine to judge")),
    "it promises to remind": ("FALSE-SUCCESS", claimed("Sure, I'll remind you at eight.", call("memory_save"))),
    "the persona twice": ("PROMPT-CONFLICT", prompted(PARAGRAPH, PARAGRAPH, about=healthy())),
    "a persona that forbids": (
        "PROMPT-CONFLICT",
        prompted(
            SHY,
            about=skipped(
                arguments='{"reason":"not for me","category":"not_for_me"}',
                mentions_bot=False,
                settings=settings(ResponseMode.ACTIVE),
            ),
        ),
    ),
    "a file of another kind": ("ATTACH", attached("files of this kind are not read")),
    "a link that ran out": ("ATTACH", attached("the platform does not say where it is")),
}
"""By name: the rule that must fire, and only it."""

SOUND: dict[str, Evidence] = {
    "a word after the reply tool": spoke("Done."),
    "the same again after the reply tool": spoke("Yes."),
    "read as much as was sent": read(8_500),
    "a tokenizer that counts otherwise": read(6_000),
    "an answer in the channel under its former id": healthy(
        turn=turn(outbox=(ASTRAY,)), names=(ChannelId("console:#general"), ChannelId("console:#random"))
    ),
    "it does not know what nobody said": denied(),
    "what is gone says something else": denied(
        dropped=(DroppedMessages(at=NOW - 1, messages=(GONE.replace(text="my cat is called Rex"),), compaction=3),)
    ),
    "what it was told does not bear on the answer": told(
        "The office opens at 9:00.", "The office opens at 10:00.", answer="Hello!"
    ),
    "one thread beside this one": beside(sibling("a")),
    "long threads beside this one": beside(sibling("a", count=4), sibling("b", count=3)),
    "an edit that bears on nothing": healthy(stale=LIST),
    "a shy persona that was mentioned": prompted(SHY, about=healthy()),
    "a file that was read": attached("").replace(target=healthy().target),
}
assert all(about.target.about and about.target.about.inbound.outcome is Outcome.REPLIED for about in SOUND.values())
