"""What is fuzzed: each target with its properties, those of the tests and those that only stand here.

A case plays `EXAMPLES` of a target, shared out among its properties; `cases` is how many cases a release has of it.
"""

from __future__ import annotations

from typing import NamedTuple

EXAMPLES = 2_500


class Target(NamedTuple):
    """Properties as `module:function`, or `bytes:reader` for the promise of a reader of bytes."""

    cases: int
    properties: tuple[str, ...]


def _of(module: str, *names: str) -> tuple[str, ...]:
    return tuple(f"tests.{module}:{name}" for name in names)


_TEXTS, _WORDS, _ARRIVALS = "faults.fuzz.texts", "faults.fuzz.words", "faults.fuzz.arrivals"
_CONFIGURATIONS = "faults.fuzz.configurations"

TARGETS: dict[str, Target] = {
    "splitter": Target(
        20,
        _of(
            "bot.text.test_splitter",
            "test_no_chunk_is_too_long_empty_or_half_a_character",
            "test_what_a_split_leaves_out_is_whitespace_and_what_it_adds_are_marks",
            "test_every_chunk_of_a_sound_document_is_sound",
        )
        + _of(_TEXTS, "a_long_text_is_cut_as_promised"),
    ),
    "redactor": Target(
        24,
        _of(
            "bot.text.test_redaction",
            "test_redacting_twice_is_redacting_once",
            "test_no_mess_around_a_secret_saves_it",
            "test_json_keeps_its_shape_and_is_redacted_once",
        )
        + _of(
            _TEXTS,
            "no_spelling_of_a_secret_is_left",
            "no_secret_of_many_is_left_in_a_long_text",
            "what_is_no_secret_stays_and_it_takes_no_time",
        )
        + _of("bot.messaging.delivery.test_streaming", "test_no_secret_is_seen_nor_its_beginning"),
    ),
    "telegram-markup": Target(
        34,
        _of(
            "adapters.telegram.test_markup",
            "test_only_marks_are_lost",
            "test_entities_lie_in_the_text_and_in_each_other",
            "test_plain_words_stay_as_they_are",
            "test_code_is_kept_to_the_letter",
        )
        + _of(_TEXTS, "telegram_gets_entities_that_lie_in_the_text"),
    ),
    "discord-markup": Target(24, _of(_TEXTS, "discord_gets_the_same_words_that_call_nobody")),
    "shown": Target(
        30,
        _of(_TEXTS, "whatever_is_shown_can_be_seen", "no_cell_steers_a_terminal")
        + _of(
            "bot.text.test_text",
            "test_cleaning_touches_nothing_else_and_gives_what_every_store_holds",
            "test_no_name_is_empty_long_or_hidden",
            "test_a_fence_holds_whatever_it_holds",
        )
        + _of("bot.text.test_links", "test_defanging_twice_is_defanging_once_and_leaves_no_ping")
        + _of("bot.inspect.charts.test_canvas", "test_only_what_the_font_knows_is_drawn"),
    ),
    "report": Target(
        12,
        _of("bot.cortex.words.test_report", "test_no_claim_leaves_its_fence")
        + _of("bot.inspect.capture.test_markdown", "test_nothing_inspected_stands_outside_a_fence")
        + _of("bot.cortex.inspection.test_model_findings", "test_no_text_raises")
        + _of("bot.inspect.usage.test_usage_text", "test_folding_loses_no_word")
        + _of("bot.runtime.test_logs", "test_one_event_is_one_line"),
    ),
    "press": Target(
        24,
        _of(
            _WORDS,
            "a_press_is_read_or_not_and_never_believed",
            "a_button_is_of_its_person_place_and_time_alone",
        ),
    ),
    "names": Target(
        12, _of(_WORDS, "a_name_of_a_file_is_ours_whatever_a_channel_is_called", "an_export_stays_in_its_folder")
    ),
    "commands": Target(
        34,
        _of(
            "bot.messaging.policy.test_command_syntax",
            "test_any_text_is_read_without_failing_and_commands_stand_in_front",
            "test_reading_twice_gives_the_same",
        )
        + _of(_WORDS, "an_order_stands_in_front"),
    ),
    "cortex-line": Target(
        34,
        _of(
            "bot.cortex.commands.test_parser",
            "test_any_text_parses",
            "test_a_command_with_something_behind_it_changes_nothing",
        )
        + _of(_WORDS, "any_line_for_the_cortex_is_a_command_or_a_question")
        + _of("bot.domain.test_permalinks", "test_any_text_is_read_or_refused"),
    ),
    "config": Target(
        16,
        _of("bot.config.test_config", "test_any_text_is_a_configuration_or_a_list_of_problems")
        + _of("bot.config.test_dotenv", "test_what_is_written_is_read_back", "test_any_text_is_read")
        + _of(_WORDS, "any_tables_are_a_configuration_or_a_list_of_problems")
        + ("bytes:config",),
    ),
    "config-files": Target(
        8,
        _of(
            _CONFIGURATIONS,
            "whatever_lies_there_is_a_configuration_or_a_few_lines",
            "what_is_said_thousands_of_times_is_refused_in_a_few_lines",
            "thousands_of_wrong_keys_are_a_few_lines",
            "a_list_of_ids_holds_ids_alone",
        ),
    ),
    "arguments": Target(
        16,
        _of("bot.tools.runtime.test_executor", "test_any_ids_end_up_unique", "test_any_text_is_an_object_or_not")
        + _of(_WORDS, "any_arguments_are_taken_or_refused_in_words"),
    ),
    "streams": Target(
        36,
        _of("adapters.openai.test_plain_chunks", "test_it_is_what_the_whole_form_says")
        + _of("adapters.openai.test_plain_chunks", "test_garbage_is_told_apart_by_the_whole_form_alone")
        + _of("adapters.openai.test_stream", "test_no_bytes_can_break_it")
        + _of("adapters.anthropic.test_stream", "test_no_bytes_can_break_it")
        + _of("adapters.model_http.test_sse", "test_cuts_do_not_matter", "test_no_bytes_can_break_it")
        + ("bytes:openai", "bytes:anthropic", "bytes:openai-whole", "bytes:anthropic-whole", "bytes:error-body"),
    ),
    "telegram": Target(
        12,
        (
            *_of(_ARRIVALS, "every_update_leaves_a_row"),
            "bytes:update",
            *_of("adapters.telegram.test_convert", "test_no_update_breaks_it"),
            *_of(
                "adapters.telegram.test_fast_message",
                "test_a_plain_message_is_what_the_library_reads",
                "test_what_is_odd_is_left_to_the_library",
            ),
        ),
    ),
    "discord": Target(
        12,
        _of(_ARRIVALS, "every_event_is_read_or_said_to_be_unreadable")
        + _of("adapters.discord.rest.test_message", "test_what_the_gateway_says_never_ends_the_connection"),
    ),
    "transcript": Target(
        16,
        _of(
            "bot.context.test_transcript",
            "test_a_header_is_exactly_invertible",
            "test_any_text_can_be_asked_for_a_header",
        )
        + _of(_WORDS, "nobody_forges_a_line_of_the_transcript")
        + ("bytes:attachment",),
    ),
    "memory": Target(
        10,
        _of(_WORDS, "any_memory_is_kept_within_its_bounds_or_refused")
        + _of("bot.context.sections.test_memory_bulletin", "test_no_memory_breaks_out_of_its_line")
        + _of("bot.text.test_silencing", "test_any_text_can_be_suspected", "test_any_text_can_be_read"),
    ),
    "queries": Target(
        24,
        _of(_WORDS, "any_question_is_a_search_and_nothing_else")
        + _of("adapters.sqlite.test_properties", "test_a_query_holds_nothing_but_quoted_words"),
    ),
    "mcp": Target(
        8,
        _of(
            _ARRIVALS,
            "any_arguments_fit_a_schema_or_not",
            "any_list_of_tools_is_offered_or_refused",
            "any_result_is_words_for_a_model_or_refused",
            "any_tool_is_taken_or_refused",
        )
        + _of(
            "bot.tools.mcp.test_plain_schema",
            "test_whatever_a_server_calls_a_schema_becomes_a_plain_one_or_is_refused",
        )
        + _of("bot.tools.mcp.test_offer", "test_every_name_is_one_that_providers_take_and_none_is_given_twice")
        + ("bytes:mcp",),
    ),
    "skills": Target(12, (*_of("bot.text.test_front_matter", "test_anything_is_read_or_refused"), "bytes:skill")),
    "web": Target(
        12,
        (
            *_of("adapters.web.test_readable_text", "test_nothing_that_is_written_breaks_the_reader"),
            "bytes:page",
            "bytes:search",
        ),
    ),
    "exports": Target(10, (*_of(_ARRIVALS, "every_export_is_compared_or_refused"), "bytes:export")),
}
