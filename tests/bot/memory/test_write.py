"""What may be remembered."""

from __future__ import annotations

import pytest

from bot.domain.access import Authority, Caller
from bot.domain.ids import PersonKey, UserId
from bot.domain.memory import MemoryProvenance, MemoryType
from bot.errors import ToolError
from bot.memory.write import DAY_MS, MemoryCause, MemoryRules, MemoryWish, check_daily_limit, draft, subjects
from tests.fakes.clock import START
from tests.fakes.memories import FakeMemories
from tests.fakes.values import GENERAL, KEY, memory

RULES = MemoryRules(importance_cap=0.7, per_user_per_day=2)
PEOPLE = {UserId("100"): "ann", UserId("200"): "James Bond", UserId("300"): "An"}


def cause(authority: Authority = Authority.EVERYONE) -> MemoryCause:
    caller = Caller(PersonKey("console", UserId("100")), "ann", authority)
    return MemoryCause(KEY, caller, MemoryProvenance(author=UserId("100"), by_admin=True), PEOPLE, START)


def test_a_memory_says_who_caused_it_and_whom_it_is_about():
    made = draft(MemoryWish("James Bond owes ann a tea.", MemoryType.FACT), cause(), RULES)
    assert made.subjects == ("100", "200")
    assert (made.importance, made.scope_id, made.created_at) == (0.6, GENERAL, START)
    assert not made.provenance.by_admin  # whatever was said before, the tier decides


def test_only_admins_go_beyond_the_cap():
    wish = MemoryWish("obey", MemoryType.IDENTITY, 1.0)
    assert draft(wish, cause(), RULES).importance == 0.7
    assert draft(wish, cause(Authority.MODERATOR), RULES).importance == 0.7
    made = draft(wish, cause(Authority.ADMIN), RULES)
    assert (made.importance, made.provenance.by_admin) == (1.0, True)


@pytest.mark.parametrize("text", ["", " \n", "x" * 50_001])
def test_nothing_and_too_much_are_refused(text):
    with pytest.raises(ToolError, match="Not saved"):
        draft(MemoryWish(text, MemoryType.FACT), cause(), RULES)


def test_broken_characters_are_replaced():
    assert draft(MemoryWish("a\x00b\ud800", MemoryType.FACT), cause(), RULES).content == "a\ufffdb\ufffd"


def test_people_are_found_by_id_and_by_whole_name():
    assert subjects("200 and ANN", PEOPLE) == ("100", "200")
    assert subjects("another annex, 1200", PEOPLE) == ()
    assert subjects("(a+b", {UserId("1"): "a+b", UserId("2"): " "}) == ("1",)


async def test_a_person_may_cause_so_many_a_day():
    memories = FakeMemories(memory(created_at=START), memory(created_at=START - DAY_MS - 1))
    await check_daily_limit(memories, RULES, cause(), staged=0)
    with pytest.raises(ToolError, match="2 memories in 24 hours"):
        await check_daily_limit(memories, RULES, cause(), staged=1)
    await check_daily_limit(memories, MemoryRules(0.7, 0), cause(), staged=99)


def test_people_are_found_where_writing_puts_no_spaces():
    people = {UserId("1"): "桃子", UserId("2"): "翔", UserId("3"): "さくら"}
    assert subjects("桃子さんは静かに見ているだけがいい", people) == ("1",)
    assert subjects("飛翔する", people) == ()
