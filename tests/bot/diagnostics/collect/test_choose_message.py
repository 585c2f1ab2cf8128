"""Which message a bare "why" is about."""

from __future__ import annotations

from bot.diagnostics.collect.choose_message import DAY_MS, choose
from bot.domain.ids import PersonKey, UserId
from bot.domain.ledger import ArrivalDisposition, Outcome, StoredInbound
from bot.domain.messages import AuthorKind, InboundKind
from tests.fakes.clock import START
from tests.fakes.evidence import stored
from tests.fakes.values import author

MINUTE = 60_000
ANN, BOB = PersonKey("console", UserId("100")), PersonKey("console", UserId("200"))
HUMANS = {"ann": author("100", "ann"), "bob": author("200", "bob"), "mee6": author("5", "mee6", AuthorKind.BOT)}
ITSELF = author("0", "glassmind", AuthorKind.SELF)
WORK = "newest_failed_work"


def said(row: int, who: str, outcome: Outcome | None, reason: str = "", **changes: object) -> StoredInbound:
    """Message number `row` arrived in minute `row`."""
    if outcome is Outcome.STORED_ONLY:
        changes = {"mentions_bot": False, "disposition": ArrivalDisposition.AMBIENT, **changes}
    return stored(outcome, reason, row=row, at=START + row * MINUTE, author=HUMANS[who], **changes)


def came_back(row: int, outcome: Outcome | None, **changes: object) -> StoredInbound:
    """A result of the bot's own work, which arrived in minute `row`."""
    at = START + row * MINUTE
    return stored(outcome, row=row, at=at, author=ITSELF, kind=InboundKind.RESULT, mentions_bot=False, **changes)


def chosen(
    *oldest_first: StoredInbound, asker: PersonKey | None = None, now: int = START + 500 * MINUTE
) -> tuple[int, str]:
    choice = choose(oldest_first[::-1], asker, now)
    return (choice.inbound.id, choice.why) if choice else (0, "")


def test_nothing_arrived() -> None:
    assert chosen() == (0, "")


def test_the_askers_own_comes_before_a_newer_one_of_somebody_else() -> None:
    story = (said(1, "ann", Outcome.FAILED), said(2, "bob", Outcome.SKIPPED))
    assert chosen(*story, asker=ANN) == (1, "your_newest_unanswered")
    assert chosen(*story) == (2, "newest_unanswered")


def test_an_admin_without_a_message_asks_about_the_newest_unanswered_of_all() -> None:
    story = (said(1, "ann", Outcome.SKIPPED), said(2, "bob", Outcome.REPLIED))
    assert chosen(*story, asker=BOB) == (1, "newest_unanswered")


def test_who_was_answered_since_is_not_waiting() -> None:
    story = (said(1, "ann", Outcome.FAILED), said(2, "ann", Outcome.REPLIED))
    assert chosen(*story, asker=ANN) == (2, "newest")


def test_what_is_on_its_way_is_unanswered() -> None:
    assert chosen(said(1, "ann", Outcome.REPLIED), said(2, "ann", None)) == (2, "newest_unanswered")


def test_group_talk_hides_neither_a_failure_nor_is_it_hidden_by_an_old_one() -> None:
    failure, near = said(1, "ann", Outcome.FAILED), said(30, "bob", Outcome.STORED_ONLY, "addressing")
    assert chosen(failure, near) == (1, "newest_unanswered")
    assert chosen(failure, said(300, "bob", Outcome.STORED_ONLY, "addressing")) == (300, "newest_unanswered")


def test_group_talk_counts_only_when_the_bot_has_not_spoken_since() -> None:
    talk = said(1, "ann", Outcome.STORED_ONLY, "addressing")
    assert chosen(talk) == (1, "newest_unanswered")
    assert chosen(talk, said(2, "bob", Outcome.REPLIED)) == (2, "newest")


def test_a_channel_that_only_observes_leaves_everybody_waiting() -> None:
    story = (said(1, "ann", Outcome.STORED_ONLY, "mode"), said(2, "bob", Outcome.REPLIED))
    assert chosen(*story) == (1, "newest_unanswered")


def test_silence_about_group_talk_is_no_failure() -> None:
    story = (said(1, "ann", Outcome.SKIPPED, mentions_bot=False), said(2, "bob", Outcome.REPLIED))
    assert chosen(*story) == (2, "newest")


def test_a_reaction_was_an_answer_of_sorts() -> None:
    story = (said(1, "ann", Outcome.SKIPPED, "reacted: with 👍"), said(2, "bob", Outcome.REPLIED))
    assert chosen(*story) == (2, "newest")


def test_commands_edits_deletions_and_replaced_messages_are_not_asked_about() -> None:
    story = (
        said(1, "ann", Outcome.REPLIED),
        said(2, "ann", Outcome.COMMAND, disposition=ArrivalDisposition.COMMAND),
        said(3, "ann", None, disposition=ArrivalDisposition.AMEND, kind=InboundKind.EDIT),
        said(4, "ann", None, disposition=ArrivalDisposition.AMEND, kind=InboundKind.DELETE),
        said(5, "ann", Outcome.SUPERSEDED),
    )
    assert chosen(*story) == (1, "newest")


def test_an_edit_that_took_the_place_of_its_message_is() -> None:
    edit = said(3, "ann", Outcome.FAILED, disposition=ArrivalDisposition.AMEND, kind=InboundKind.EDIT, turn=4)
    assert chosen(said(1, "ann", Outcome.SUPERSEDED), edit) == (3, "newest_unanswered")


def test_other_bots_are_asked_about_only_where_there_is_nobody_else() -> None:
    webhook = said(2, "mee6", Outcome.GATED, "author")
    assert chosen(said(1, "ann", Outcome.REPLIED), webhook) == (1, "newest")
    assert chosen(webhook) == (2, "newest")


def test_what_is_older_than_a_day_is_no_longer_waiting() -> None:
    old = said(1, "ann", Outcome.FAILED)
    assert chosen(old, said(2, "bob", Outcome.REPLIED), now=START + DAY_MS + 5 * MINUTE) == (2, "newest")


def test_an_event_is_nothing_that_anybody_asked() -> None:
    event = said(
        2, "ann", Outcome.STORED_ONLY, "event: poll", kind=InboundKind.EVENT, disposition=ArrivalDisposition.NOTE
    )
    assert chosen(said(1, "bob", Outcome.FAILED), event) == (1, "newest_unanswered")
    assert chosen(event) == (0, "")


def test_own_work_that_failed_is_meant_where_everybody_was_answered() -> None:
    story = (said(1, "ann", Outcome.REPLIED), came_back(2, Outcome.FAILED))
    assert chosen(*story) == chosen(*story, asker=ANN) == (2, WORK)
    assert chosen(*story, came_back(3, Outcome.FAILED)) == (3, WORK)
    assert chosen(*story, came_back(3, Outcome.INTERRUPTED)) == (3, WORK)
    assert chosen(*story, came_back(3, Outcome.SKIPPED), came_back(4, None)) == (2, WORK)


def test_own_work_that_went_well_is_not_asked_about() -> None:
    asked = said(1, "ann", Outcome.REPLIED)
    for outcome in (Outcome.REPLIED, Outcome.SKIPPED, Outcome.CANCELLED, Outcome.SUPERSEDED, None):
        assert chosen(asked, came_back(2, outcome)) == (1, "newest")


def test_failed_work_is_over_once_the_bot_has_spoken_since() -> None:
    story = (said(1, "ann", Outcome.REPLIED), came_back(2, Outcome.FAILED))
    assert chosen(*story, came_back(3, Outcome.REPLIED)) == (1, "newest")
    assert chosen(*story, said(3, "bob", Outcome.REPLIED)) == (3, "newest")
    asks = said(3, "bob", Outcome.COMMAND, disposition=ArrivalDisposition.COMMAND)
    assert chosen(*story, asks) == (2, WORK)


def test_who_waits_comes_before_failed_work_unless_it_failed_much_later() -> None:
    waits = said(1, "ann", Outcome.SKIPPED)
    assert chosen(waits, came_back(30, Outcome.FAILED)) == (1, "newest_unanswered")
    assert chosen(waits, came_back(30, Outcome.FAILED), asker=ANN) == (1, "your_newest_unanswered")
    assert chosen(waits, came_back(300, Outcome.FAILED), asker=ANN) == (300, WORK)
    assert chosen(came_back(1, Outcome.FAILED), said(300, "ann", Outcome.SKIPPED)) == (300, "newest_unanswered")


def test_group_talk_does_not_hide_work_that_failed_about_then() -> None:
    failure = came_back(1, Outcome.FAILED)
    assert chosen(failure, said(30, "bob", Outcome.STORED_ONLY, "addressing")) == (1, WORK)
    assert chosen(failure, said(300, "bob", Outcome.STORED_ONLY, "addressing")) == (300, "newest_unanswered")


def test_work_that_failed_more_than_a_day_ago_is_past() -> None:
    story = (said(1, "ann", Outcome.REPLIED), came_back(2, Outcome.FAILED))
    assert chosen(*story, now=START + DAY_MS + 5 * MINUTE) == (1, "newest")


def test_what_a_platform_tells_of_the_bots_own_words_is_no_work() -> None:
    echo = stored(Outcome.FAILED, row=2, at=START + 2 * MINUTE, author=ITSELF)
    assert chosen(said(1, "ann", Outcome.REPLIED), echo) == (1, "newest")
