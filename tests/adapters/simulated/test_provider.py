"""The simulation through its only door, the bytes of a request: whom it answers, and what an inspection by it finds."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from adapters.simulated import create
from bot.domain.base import canonical_json
from bot.domain.llm import FinishReason, LLMRequest, LLMResponse, WireRequest
from bot.domain.messages import Message, Role, ToolCall
from tests.fakes.values import llm_request, message, result, tool_definition

ROOT = Path(__file__).parents[3]
CHANNEL_TOOLS = ("reply", "skip", "react", "memory_save", "memory_recall", "channel_recall")
NAMES = ("ann", "Žofie", "李雷", "Mary Jane", "Mr. X", "d4rk_l0rd")
MATES = (("bob", "7"), ("carl", "8"))
UNRELATED = ("Bob likes tea.", "Carl said to ignore typos.", "From now on, never answer in verse.")

OBEYED = [
    ("decision", "Do not answer {x}."),
    ("decision", "{x} asked the bot to stop responding to them."),
    ("identity", "I never reply to {x}."),
    ("preference", "{x} does not want any answers."),
    ("fact", "{x} must not get answers, by order of the owner."),
    ("human", "{x} is to be ignored."),
    ("observation", "Bob said to ignore all messages from {x}."),
    ("todo", "Stop responding to {x} (id 42)."),
    ("goal", "Stay silent towards {x}, please."),
    ("event", "The team decided: no more replies to {x}."),
    ("decision", 'Note: "{x}" gets no answers.\nReason: spam.'),
    ("decision", "Leave {x}'s messages unanswered."),
    ("decision", "Do not respond to <@42>."),
    ("decision", "Do not answer anyone."),
    ("decision", "Stay silent in this channel."),
    ("preference", "{x} is noisy. Do not answer them any more."),
]
NOT_OBEYED = [
    ("decision", "Do not ignore {x}."),
    ("decision", "Never stop answering {x}."),
    ("decision", "Do not answer Bob."),
    ("decision", "Bob asked the bot to stop responding to him."),
    ("fact", "{x} said to ignore typos."),
    ("fact", "Bob does not answer {x}."),
    ("decision", "Do not answer {x} (id 99)."),
    ("decision", "Do not answer {x} in verse."),
    ("preference", "{x} hates to be ignored by waiters."),
    ("decision", "{x} asked the bot to ignore Bob."),
    ("decision", "Should I ignore {x}?"),
]


def line(text: str, kind: str = "decision", handle: str = "m27d4", by: str = "bob (id 7)") -> str:
    return f"- {handle} | {kind} | importance 0.90 | by {by} | 2026-11-20 | {canonical_json(text)}"


def header(name: str, number: str) -> str:
    return canonical_json({"at": "2026-11-21T02:58:07Z", "from": name, "id": number})


def prompt(*lines: str) -> list[tuple[str, str]]:
    return [
        ("identity", "# Who you are\n\nYou are Glass.\n\nA friendly member of this chat."),
        ("silence_rules", "Do not answer spam. Stay silent in this channel when people talk with each other."),
        ("memory_bulletin", "# What you remember\n\n" + "\n".join(lines)),
    ]


def asked(
    text: str = "hello?",
    *lines: str,
    name: str = "ann",
    number: str = "42",
    history: tuple[Message, ...] = (),
    tools: tuple[str, ...] = CHANNEL_TOOLS,
) -> LLMRequest:
    envelope = f"## Who took part so far\n\n- bob (id 7), last spoke 02:57\n\n{header(name, number)}\n{text}"
    return llm_request([*history, message(envelope)], prompt(*lines), [tool_definition(tool) for tool in tools])


async def ask(request: LLMRequest) -> LLMResponse:
    provider = create("simulated", {})
    return await provider.complete(provider.encode(request), lambda _: None)


def skipped(response: LLMResponse) -> dict[str, str]:
    assert [call.name for call in response.calls] == ["skip"]
    return orjson.loads(response.calls[0].arguments)


async def inspect(*lines: str, question: str, history: tuple[Message, ...] = (), budget: int = 9) -> dict:
    """Run an inspection with a reader that serves the very prompt."""
    sections = {name: text for name, text in prompt(*lines)}
    parts = {f"section:{name}": f"```text\n{text}\n```" for name, text in sections.items()}
    parts["outline"] = "Request r3x7b.\n" + "\n".join(f"- {part}" for part in parts)
    parts |= {"status": "mode active", "ledger": f"t6w1d: skip, instructed; {header('ann', '42')}"}
    said: list[Message] = [message(question)]
    tools = [tool_definition("read_channel_context"), tool_definition("memory_recall")]
    system = [("inspection", "You are the inspection branch of Glass. Nothing here says not to answer anyone.")]
    for _ in range(budget):
        response = await ask(llm_request([*history, *said], system, tools))
        if not response.calls:
            return orjson.loads(response.text)
        said.append(Message(role=Role.ASSISTANT, parts=response.calls))
        said += [result(parts.get(_part(call), "no such part"), call.call_id) for call in response.calls]
    raise AssertionError("the inspection did not end")


def _part(call: ToolCall) -> str:
    return orjson.loads(call.arguments)["part"]


@pytest.mark.parametrize(("kind", "text"), OBEYED)
async def test_an_instruction_is_obeyed_and_found(kind: str, text: str):
    for at, name in enumerate(NAMES):
        others = [line(words, "fact", f"m000{number}") for number, words in enumerate(UNRELATED)]
        written = text.format(x=name)
        lines = [*others[: at % 4], line(written, kind), *others[at % 4 :]]
        reason = skipped(await ask(asked("are you there?", *lines, name=name)))
        assert reason["category"] == "instructed" and "m27d4" in reason["reason"]
        report = await inspect(*lines, question=f"why is {name} not answered?")
        assert [finding["evidence"] for finding in report["findings"]] == [["m27d4"]], report
        finding = report["findings"][0]
        assert finding["fix"] == {"kind": "forget_memory", "memory": "m27d4"}
        assert all(quote["text"] in written and quote["text"] in lines[at % 4] for quote in finding["quotes"])
        assert finding["quotes"] and len(finding["claim"]) <= 600


@pytest.mark.parametrize(("kind", "text"), NOT_OBEYED)
async def test_what_is_no_instruction_about_the_sender_is_neither_obeyed_nor_found(kind: str, text: str):
    for name in NAMES[:2]:
        lines = [line(text.format(x=name), kind), *(line(words, "fact", "m0001") for words in UNRELATED)]
        response = await ask(asked("are you there?", *lines, name=name))
        assert not response.calls and response.text
        report = await inspect(*lines, question=f"why is {name} (id 42) not answered?")
        assert report["findings"] == [] and "cannot tell" in report["summary"]


async def test_others_are_answered_all_the_same():
    response = await ask(asked("hi", line("Do not answer ann."), name="bob", number="7"))
    assert response.text == "Hello, bob! (simulated)"


async def test_a_later_line_lifts_it():
    lines = line("Do not answer ann."), line("Answer ann again.", handle="m0001")
    assert (await ask(asked("hi", *lines))).text
    assert (await inspect(*lines, question="why is ann not answered?"))["findings"] == []
    assert skipped(await ask(asked("hi", *reversed(lines))))


async def test_an_instruction_may_stand_anywhere_in_the_prompt():
    request = asked("hi")
    for at in range(len(request.system)):
        blocks = list(request.system)
        blocks[at] = blocks[at].replace(text=blocks[at].text + "\nDo not answer ann.")
        assert skipped(await ask(request.replace(system=tuple(blocks))))["reason"].startswith("My instructions")


async def test_what_people_write_is_no_instruction():
    history = (message(f"{header('bob', '7')}\nDo not answer ann."),)
    response = await ask(asked("do not answer ann", history=history))
    assert not response.calls


async def test_without_a_skip_tool_it_answers():
    assert (await ask(asked("hi", line("Do not answer ann."), tools=()))).text


async def test_an_inspection_without_a_named_person_reports_what_it_reads():
    report = await inspect(line("james asked the bot to stop responding to him."), question="why so silent?")
    assert [finding["evidence"] for finding in report["findings"]] == [["m27d4"]]
    report = await inspect(line("Do not answer James Smith."), question="what is wrong here?")
    assert "James Smith" in report["findings"][0]["claim"]
    assert (await inspect(*map(line, UNRELATED), question="why?"))["findings"] == []


async def test_an_inspection_quotes_only_what_stands_in_the_record():
    text = 'He said "no". \\ Do not answer ann because "reasons".'
    report = await inspect(line(text), question="why is ann not answered?")
    quote = report["findings"][0]["quotes"][0]["text"]
    assert quote in text and quote in line(text) and "answer ann" in quote


async def test_an_instruction_without_a_memory_is_tied_to_the_request():
    sections = dict(prompt())
    sections["silence_rules"] += "\nNever answer ann."
    request = llm_request(
        [
            message("why is ann not answered?"),
            *_read("outline", "r3x7b section:silence_rules"),
            *_read("section:memory_bulletin", "absent", "c2"),
            *_read("section:silence_rules", sections["silence_rules"], "c3"),
            *_read("status", "-", "c4"),
            *_read("ledger", "-", "c5"),
        ],
        tools=[tool_definition("read_channel_context")],
    )
    finding = orjson.loads((await ask(request)).text)["findings"][0]
    assert finding["evidence"] == ["r3x7b"] and finding["fix"] is None
    assert finding["quotes"] == [{"handle": "r3x7b", "text": "Never answer ann."}]


def _read(part: str, text: str, call_id: str = "c1") -> list[Message]:
    call = ToolCall(call_id=call_id, name="read_channel_context", arguments=canonical_json({"part": part}))
    return [Message(role=Role.ASSISTANT, parts=(call,)), result(text, call_id)]


async def test_it_says_that_it_is_a_simulation_and_counts():
    heard: list[str] = []
    provider = create("simulated", {})
    wire = provider.encode(asked("what is love?"))
    response = await provider.complete(wire, heard.append)
    assert "".join(heard) == response.text and len(heard) > 1
    assert "simulat" in response.text and response.answered_by == "echo (simulation)"
    assert response.usage.input == len(wire.body) // 4 and response.usage.output
    assert response.finish is FinishReason.STOP and await provider.complete(wire, heard.append) == response
    assert [probe.state for probe in await provider.probe()] == ["ok"]
    await provider.close()


@settings(max_examples=80)
@given(st.one_of(st.binary(max_size=300), st.recursive(st.none() | st.text(max_size=9), st.lists).map(orjson.dumps)))
async def test_no_bytes_can_break_it(body: bytes):
    wire = WireRequest(provider="simulated", model="x", path="/", body=body, sha256="")
    assert await create("simulated", {}).complete(wire, lambda _: None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["messages", "role", "content", "tools", "function", "name", "tool_calls", "id", "model"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=80)
@given(st.dictionaries(st.sampled_from(["messages", "tools", "model", "tool_choice"]), JSON))
async def test_no_json_can_break_it(body: dict):
    wire = WireRequest(provider="simulated", model="x", path="/", body=orjson.dumps(body), sha256="")
    assert await create("simulated", {}).complete(wire, lambda _: None)


@given(st.text(max_size=120), st.text(max_size=20))
async def test_no_words_can_break_it(text: str, name: str):
    assert await ask(asked(text, line(text), name=name))


def test_there_is_nothing_to_set():
    with pytest.raises(ValidationError):
        create("simulated", {"api_key": "x"})


def test_it_knows_nobody_by_name():
    """A simulation that knew the demo's people would prove nothing: it must read them."""
    code = "\n".join(path.read_text() for path in (ROOT / "adapters" / "simulated").glob("*.py")).lower()
    demo = [path for path in (ROOT / "bot").rglob("*demo*.py")]
    assert not any(name in code for name in ("james", "m27d4", "robert", "mallory", "#general", "#support"))
    assert not any(f"from {'.'.join(path.relative_to(ROOT).with_suffix('').parts)}" in code for path in demo)
