"""The contract where two processes write: every call is another one's than the one before; a part in the suite."""

from __future__ import annotations

import pytest

from tests.contracts import test_store as contract
from tests.fakes.lengths import whole_or

OF_ONE_PROCESS = {
    "test_what_arrives_several_times_at_once_is_stored_once",
    "test_order_is_kept_when_many_arrive_at_once",
    "test_only_the_newest_are_kept_also_when_much_is_heard_at_once",
    "test_what_ran_for_a_talk_is_found_by_it",
    "test_lessons_are_kept_once_and_forgotten_by_model",
    "test_a_closed_store_says_so",
}
"""What two do at once has no order, what one of them keeps in memory the other loads, and more is another version."""
PART = (
    "test_a_message_that_arrives_twice_is_stored_once",
    "test_the_cursor_moves_with_its_batch",
    "test_a_cursor_does_not_move_when_its_batch_fails",
    "test_settings_survive",
    "test_a_turn_becomes_history_with_the_talk_before_it",
    "test_an_edit_replaces_the_message_wherever_it_stands",
    "test_a_turn_ends_in_one_commit",
    "test_a_turn_that_cannot_be_committed_leaves_nothing",
    "test_a_request_is_rebuilt_as_it_was",
    "test_parts_tell_of_calls_that_a_dead_process_left_without_a_record",
    "test_ratios_are_learned",
    "test_a_chunk_goes_its_way",
    "test_nonces_are_never_used_twice",
    "test_search_finds_words_within_reach_only",
    "test_a_forgotten_memory_is_brought_back_by_undo",
    "test_audit_rows_are_chained_and_listed_by_person",
    "test_old_requests_lose_their_content_and_keep_their_figures",
    "test_a_move_takes_everything_along_and_is_done_once",
)
ALL = [name for name in vars(contract) if name.startswith("test_") and name not in OF_ONE_PROCESS]
globals().update({name: getattr(contract, name) for name in whole_or(ALL, PART)})


@pytest.fixture
def kind_of_store() -> str:
    return "shared"
