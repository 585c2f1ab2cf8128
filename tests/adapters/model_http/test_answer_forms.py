"""Whether an answer waits for the end of its thoughts is learnt from its model's name and from earlier answers."""

from __future__ import annotations

import pytest

from adapters.model_http.answer_forms import AnswerForms
from adapters.model_http.settings import ServiceSettings
from adapters.model_http.speech import AnswerOptions, SpeechReader
from bot.domain.llm import FinishReason, LLMResponse, WireRequest

WORDS, CUT = LLMResponse(text="Hi"), LLMResponse(text="Hi", finish=FinishReason.LENGTH)


def reading(**keys) -> AnswerForms:
    return AnswerForms("here", ServiceSettings(base_url="http://localhost/v1", **keys))


def waits(one: AnswerForms, model: str = "qwen3-8b") -> bool:
    return one.manner(WireRequest(provider="here", model=model, path="/", body=b"", sha256="")).waits


def spoken(text: str) -> SpeechReader:
    speech = SpeechReader(lambda _: None, AnswerOptions("here"))
    speech.say(text)
    speech.end()
    return speech


def test_an_unopened_thought_makes_the_next_answer_wait():
    one = reading()
    assert not waits(one)
    one.learn("qwen3-8b", spoken("Greet her.\n</think>\nHi"), WORDS)
    assert waits(one) and not waits(one, "another")


@pytest.mark.parametrize("model", ["deepseek-r1:14b", "Qwen/QwQ-32B", "kimi-k2-thinking", "phi-4-reasoning"])
def test_a_name_that_says_that_it_thinks_waits_until_it_is_known_not_to(model: str):
    one = reading()
    assert waits(one, model)
    one.learn(model, spoken("Hi"), CUT)
    assert waits(one, model)
    one.learn(model, spoken("Hi"), WORDS)
    assert not waits(one, model)


def test_the_table_can_say_it():
    one = reading(bare_thoughts="show")
    one.learn("qwen3-8b", spoken("Greet her.\n</think>\nHi"), WORDS)
    assert not waits(one) and waits(reading(bare_thoughts="wait"))
