"""The bytes that are posted: fixed order, equal for equal requests, and nothing in them that would be refused."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.anthropic.encode import RequestOptions, breakpoints, encode_messages
from adapters.model_http.json_cache import JsonFragments
from bot.domain.base import JsonText
from bot.domain.dialect import Dialect
from bot.domain.llm import LLMRequest, ModelName, SystemBlock, ToolChoice, ToolDefinition
from bot.domain.messages import ImagePart, Message, Role, TextPart, ToolCall, ToolResult
from tests.adapters.openai.test_encode import NASTY, requests, words
from tests.fakes.values import call, llm_request, message, result, said, tool_definition
from tests.servers.model.cache import PromptCache
from tests.servers.model.scruples import MOST_BREAKPOINTS, objection

PLAIN = RequestOptions(cache="off")
MANNERS = [
    RequestOptions(),
    PLAIN,
    RequestOptions(cache="1h"),
    RequestOptions(stream=False, thinking="adaptive", effort="low"),
]
PICTURE = ImagePart(name="tea.png", mimetype="image/png", data="aGk=")


def body(request: LLMRequest, manner: RequestOptions = PLAIN) -> bytes:
    return encode_messages(request, fragments=JsonFragments(), manner=manner).body


def parsed(request: LLMRequest, manner: RequestOptions = PLAIN) -> dict:
    return orjson.loads(body(request, manner))


def turns(*sent: Message) -> list[dict]:
    return parsed(llm_request(messages=sent))["messages"]


def test_a_request_is_written_in_one_fixed_way():
    request = llm_request(
        messages=[message("hi"), call("skip", '{"reason": "no"}'), result("ok"), said("bye"), message("and?")],
        model=ModelName(provider="anthropic", model="claude-haiku-5-5"),
    )
    wire = encode_messages(request, fragments=JsonFragments(), manner=RequestOptions())
    assert wire.body.decode() == (
        '{"model":"claude-haiku-5-5","max_tokens":1024,"stream":true,'
        '"tools":[{"name":"skip","description":"Say nothing.",'
        '"input_schema":{"properties":{"reason":{"type":"string"}},"type":"object"},'
        '"cache_control":{"type":"ephemeral"}}],"tool_choice":{"type":"auto"},'
        '"system":[{"type":"text","text":"You are Glass.\\n\\n"},'
        '{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],'
        '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},'
        '{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"skip","input":{"reason": "no"}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"ok"}]},'
        '{"role":"assistant","content":[{"type":"text","text":"bye","cache_control":{"type":"ephemeral"}}]},'
        '{"role":"user","content":[{"type":"text","text":"and?"}]}]}'
    )
    assert (wire.provider, wire.model, wire.path) == ("anthropic", "claude-haiku-5-5", "/messages")
    assert wire.sha256 == hashlib.sha256(wire.body).hexdigest()


def test_the_blocks_of_the_system_prompt_are_together_what_is_shown():
    request = llm_request()
    assert "".join(block["text"] for block in parsed(request)["system"]) == request.system_text
    assert "system" not in parsed(request.replace(system=(SystemBlock(name="a", text=" \n"),)))


def test_without_tools_there_is_no_tool_choice():
    sent = parsed(llm_request(tools=()))
    assert "tools" not in sent and "tool_choice" not in sent


def test_the_last_round_keeps_the_tools_and_forbids_them():
    sent = parsed(llm_request().replace(tool_choice=ToolChoice.NONE))
    assert sent["tool_choice"] == {"type": "none"} and len(sent["tools"]) == 1


def test_the_longest_answer_is_always_named():
    assert parsed(llm_request())["max_tokens"] == 1024
    assert parsed(llm_request().replace(max_output_tokens=0))["max_tokens"] > 0


def test_how_it_thinks_is_a_setting():
    sent = parsed(llm_request(), RequestOptions(thinking="between_tools", effort="low", stream=False))
    assert (sent["thinking"], sent["output_config"], sent["stream"]) == (
        {"type": "between_tools"},
        {"effort": "low"},
        False,
    )
    assert not {"thinking", "output_config", "temperature"} & parsed(llm_request()).keys()


def test_what_one_side_says_in_a_row_is_one_message():
    both = turns(message("one"), message("two"), said("three"), said("four"), message("five"))
    assert [(turn["role"], [block["text"] for block in turn["content"]]) for turn in both] == [
        ("user", ["one\n\n", "two"]),
        ("assistant", ["three\n\n", "four"]),
        ("user", ["five"]),
    ]


def test_words_that_follow_words_stand_apart():
    talk = (
        message("one"),
        message("look", parts=(PICTURE,)),
        message("two", parts=(PICTURE, TextPart(text='"}'))),
        message("3"),
    )
    sent = turns(*talk, call("a", "{}"), result('"}'), message("4"))
    assert [block.get("text") for block in sent[0]["content"]] == ["one", None, None, '"}\n\n', "3"]
    assert [block.get("content", block.get("text")) for block in sent[2]["content"]] == ['"}', "4"]


def test_results_stand_first_in_the_message_that_follows_the_calls():
    both = Message(
        role=Role.TOOL, parts=(ToolResult(call_id="1", text="a"), ToolResult(call_id="2", text="b", ok=False))
    )
    asked = Message(
        role=Role.ASSISTANT,
        parts=(
            TextPart(text="let me see"),
            ToolCall(call_id="1", name="a", arguments="{}"),
            *call("b", "{}", "2").parts,
        ),
    )
    sent = turns(message("hi"), asked, both, message("and?"))
    assert [block["type"] for block in sent[1]["content"]] == ["text", "tool_use", "tool_use"]
    assert sent[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "1", "content": "a"},
        {"type": "tool_result", "tool_use_id": "2", "content": "b", "is_error": True},
        {"type": "text", "text": "and?"},
    ]


@pytest.mark.parametrize("blank", ["", " ", "\n\n", "\u2003"])
def test_nobody_may_say_nothing(blank: str):
    sent = turns(message(blank), said(blank), message("hi"), call("a", "{}"), result(blank))
    assert [[block["type"] for block in turn["content"]] for turn in sent] == [["text"], ["tool_use"], ["tool_result"]]
    assert "content" not in sent[2]["content"][0]


def test_a_conversation_begins_and_ends_with_the_user():
    assert [turn["role"] for turn in turns(said("welcome"))] == ["user", "assistant", "user"]
    assert [turn["role"] for turn in turns()] == ["user"]


def test_pictures_stand_before_the_words():
    sent = turns(message("look", parts=(TextPart(text="look"), PICTURE)))
    source = {"type": "base64", "media_type": "image/png", "data": "aGk="}
    assert sent[0]["content"] == [{"type": "image", "source": source}, {"type": "text", "text": "look"}]


@pytest.mark.parametrize("changes", [{"mimetype": "image/tiff"}, {"data": "A" * (5 * 1024 * 1024 + 4)}])
def test_a_picture_that_would_be_refused_is_named(changes: dict):
    picture = PICTURE.replace(**changes)
    (block,) = turns(message("look", parts=(picture, TextPart(text="look"))))[0]["content"]
    assert block == {"type": "text", "text": f"{picture.text}\n\nlook"}


@pytest.mark.parametrize("raw", [text for text in NASTY if text not in ("{}", '{"q": "tea"}')])
def test_an_invalid_call_is_never_replayed(raw: str):
    assert turns(message("hi"), call("skip", raw), result("no"))[1]["content"][0]["input"] == {}


def test_valid_arguments_go_out_as_the_model_wrote_them():
    raw = '{ "q" : "t\\u00e9a",\n "n":1.50 }'
    assert f'"input":{raw}'.encode() in body(llm_request(messages=[message("x"), call("recall", raw), result("y")]))


def test_a_name_that_would_be_refused_is_made_plain():
    assert turns(message("hi"), call("no such tool!", "{}"), result("no"))[1]["content"][0]["name"] == "no_such_tool_"


def test_calls_that_another_service_numbered_from_nought_each_time_get_names_of_their_own():
    rounds = [call("a", "{}", "call_0"), result("1", "call_0")] * 3
    sent = turns(message("hi"), *rounds)
    calls = [block["id"] for turn in sent for block in turn["content"] if block["type"] == "tool_use"]
    results = [block["tool_use_id"] for turn in sent for block in turn["content"] if block["type"] == "tool_result"]
    assert calls == results == ["call_0", "call_0_2", "call_0_3"]
    odd = turns(message("hi"), call("a", "{}", "a.b:ü"), result("1", "a.b:ü"))
    assert odd[1]["content"][0]["id"] == odd[2]["content"][0]["tool_use_id"] == "a_b__"


def test_a_schema_that_is_no_object_is_an_object_without_properties():
    odd = ToolDefinition(name="a", description="b", parameters='{"type":"string"}')
    assert parsed(llm_request(tools=(odd,)))["tools"][0]["input_schema"] == {"type": "object", "properties": {}}


@pytest.mark.parametrize("manner", MANNERS, ids=repr)
@settings(deadline=None)
@given(request=requests)
def test_any_request_can_be_written(manner: RequestOptions, request: LLMRequest):
    once = body(request, manner)
    assert isinstance(orjson.loads(once.decode("utf-8"))["messages"], list)
    assert body(request, manner) == once
    assert body(LLMRequest.model_construct(**dict(request)), manner) == once


@given(st.lists(requests, min_size=1, max_size=4), st.sampled_from([0, 200, 10**6]))
def test_what_is_kept_never_shows(several: list[LLMRequest], most_bytes: int):
    kept = JsonFragments(most_bytes=most_bytes)
    for request in [*several, *reversed(several)]:
        written = encode_messages(request, fragments=kept, manner=RequestOptions()).body
        assert written == body(request, RequestOptions())


ids = st.one_of(words, st.sampled_from(["call_0", "call_0", "call_1", "a", "toolu_01"]))
arguments = st.one_of(words, st.sampled_from(NASTY))
spoken = st.builds(TextPart, text=words)
pictures = st.builds(
    ImagePart, name=words, mimetype=st.sampled_from(["image/png", "image/tiff", "x"]), data=st.just("aGk=")
)
by_people = st.builds(
    Message, role=st.just(Role.USER), parts=st.lists(st.one_of(spoken, pictures), max_size=3).map(tuple)
)
by_the_bot = st.builds(Message, role=st.just(Role.ASSISTANT), parts=st.lists(spoken, max_size=2).map(tuple))


@st.composite
def rounds(draw: st.DrawFn) -> list[Message]:
    calls = draw(st.lists(st.builds(ToolCall, call_id=ids, name=words, arguments=arguments), min_size=1, max_size=4))
    results = [ToolResult(call_id=one.call_id, text=draw(words), ok=draw(st.booleans())) for one in calls]
    said = draw(st.lists(spoken, max_size=1))
    return [
        Message(role=Role.ASSISTANT, parts=(*said, *calls)),
        Message(role=Role.TOOL, parts=tuple(results)),
    ]


conversations = st.lists(
    st.one_of(by_people.map(lambda one: [one]), by_the_bot.map(lambda one: [one]), rounds()), max_size=8
).map(lambda several: [message for some in several for message in some])


@pytest.mark.parametrize("manner", MANNERS, ids=repr)
@settings(deadline=None)
@given(sent=conversations, choice=st.sampled_from(ToolChoice), system=st.lists(words, max_size=3))
def test_no_conversation_is_refused(manner: RequestOptions, sent: list[Message], choice: ToolChoice, system: list[str]):
    blocks = tuple(SystemBlock(name=str(at), text=text) for at, text in enumerate(system))
    request = llm_request(messages=sent).replace(system=blocks, tool_choice=choice)
    assert objection(orjson.loads(body(request, manner))) is None


def test_what_has_not_changed_is_not_serialised_again():
    made: list[str] = []

    class Counting(JsonFragments):
        def get(self, key, make, value):
            return super().get(key, lambda value: made.append(key) or make(value), value)

    kept, first = Counting(), llm_request(messages=[message("one"), said("two")], tools=[tool_definition()])
    encode_messages(first, fragments=kept, manner=RequestOptions())
    made.clear()
    longer = first.replace(messages=(*first.messages, message("three")))
    encode_messages(longer, fragments=kept, manner=RequestOptions())
    assert len(made) == 1


def test_a_model_without_tools_reads_in_words_what_they_did():
    history = (message("a"), call("skip", '{"reason": "no"}'), result("ok"), said("bye"), message("b"))
    dialect = Dialect.of(["no_tools"])
    wire = encode_messages(
        llm_request(messages=history), fragments=JsonFragments(), manner=RequestOptions(), dialect=dialect
    )
    sent = orjson.loads(wire.body)
    assert "tools" not in sent and "tool_choice" not in sent and b"tool_use" not in wire.body
    assert b"What your tools did" in wire.body and b'skip {\\"reason\\": \\"no\\"}' in wire.body
    assert [one["role"] for one in sent["messages"]] == ["user", "assistant", "user"]


def test_a_keyword_of_a_schema_can_be_left_out():
    parameters = JsonText('{"properties":{"format":{"format":"date","type":"string"}},"type":"object"}')
    tool = tool_definition().replace(parameters=parameters)
    dialect = Dialect.of(["no_schema:format"])
    request = llm_request(tools=[tool])
    wire = encode_messages(request, fragments=JsonFragments(), manner=RequestOptions(), dialect=dialect)
    schema = orjson.loads(wire.body)["tools"][0]["input_schema"]
    assert schema == {"properties": {"format": {"type": "string"}}, "type": "object"}, "a value may be called so"


NOTE = Message(role=Role.USER, parts=(TextPart(text="answer in words"),))
ROUND = call("recall", '{"q":"x"}'), result("y")


def test_before_the_newest_message_and_where_that_was_a_turn_ago():
    assert breakpoints([message("hi")]) == ()
    assert breakpoints([message("hi"), said("ho"), message("again")]) == (1,)
    assert breakpoints([message("a"), said("b"), message("c"), said("d"), message("e")]) == (1, 3)


def test_talk_among_others_belongs_to_what_is_kept():
    ambient = message("by the way", ambient=True)
    assert breakpoints([message("a"), said("b"), ambient, ambient, message("c")]) == (3,)


def test_a_round_of_tools_is_kept_for_the_next_round():
    assert breakpoints([message("hi"), *ROUND]) == (2,)
    assert breakpoints([message("hi"), said("ho"), message("again"), *ROUND, *ROUND]) == (1, 6)


def test_a_note_of_ours_starts_no_turn():
    assert breakpoints([message("a"), said("b"), message("c"), said("NO REPLY"), NOTE]) == (1, 4)
    assert breakpoints([NOTE, *ROUND]) == (2,)


def test_without_anybody_there_is_nothing_to_keep():
    assert breakpoints([]) == breakpoints([said("x")]) == ()


UNHURRIED = settings(deadline=None, max_examples=60)
texts = st.text(st.characters(categories=("L",)), min_size=1, max_size=40)
turns_of_breakpoints = st.lists(
    st.tuples(
        texts,
        st.integers(0, 30),  # talk among others before it
        st.integers(0, 4),  # rounds of tools
        st.booleans(),  # whether it is answered in words
    ),
    min_size=2,
    max_size=6,
)


def played(several: list[tuple[str, int, int, bool]]) -> list[list[LLMRequest]]:
    """Return the requests of each turn; the newest message carries a clock that it loses in the history."""
    history: list[Message] = []
    played = []
    for number, (text, talk, rounds, is_answered) in enumerate(several):
        history += [message(f"{text} {number} {at}", ambient=True) for at in range(talk)]
        bare = message(f"{text} {number}")
        newest = message("", parts=(TextPart(text=f"it is {number} o'clock"), *bare.parts))
        done: list[Message] = []
        requests = [(*history, newest)]
        for at in range(rounds):
            done += [call("recall", f'{{"n":{at}}}', f"c{number}_{at}"), result(f"{text} {at}", f"c{number}_{at}")]
            requests.append((*history, newest, *done))
        played.append([llm_request(messages=sent, tools=[tool_definition()]) for sent in requests])
        history += [bare, *done, *([said(f"{text}!")] if is_answered or not done else [])]
    return played


FRAGMENTS = JsonFragments()


def sent(request: LLMRequest) -> dict:
    return orjson.loads(encode_messages(request, fragments=FRAGMENTS, manner=RequestOptions()).body)


def blocks(body: dict, *, marks: bool) -> list[object]:
    """Everything in the order in which the service reads it, with or without the breakpoints."""
    found = [*body["tools"], *body["system"]]
    found += [{"role": m["role"], **block} for m in body["messages"] for block in m["content"]]
    return [{k: v for k, v in block.items() if marks or k != "cache_control"} for block in found]


def kept(body: dict) -> list[int]:
    return [at for at, block in enumerate(blocks(body, marks=True)) if "cache_control" in block]


@UNHURRIED
@given(turns_of_breakpoints)
def test_a_turn_begins_with_all_that_the_turn_before_has_kept(several):
    for before, now in pairwise(played(several)):
        first, again = sent(before[0]), sent(now[0])
        # the last breakpoint of a turn's first request ends what the next turn sends again
        end = kept(first)[-1] + 1
        assert blocks(again, marks=False)[:end] == blocks(first, marks=False)[:end]
        assert end - 1 in kept(again), "the place is marked again, however much was said since"


@UNHURRIED
@given(turns_of_breakpoints)
def test_the_service_reads_from_its_cache_what_was_kept(several):
    cache, since_last_turn = PromptCache(), 0
    for turn in played(several):
        kept_before, since_last_turn = since_last_turn, 0
        for request in turn:
            body = sent(request)
            assert len(kept(body)) <= MOST_BREAKPOINTS
            read, written = cache.look(body)
            assert read >= kept_before, "less is read than was kept"
            kept_before = read + written
            since_last_turn = since_last_turn or kept_before
