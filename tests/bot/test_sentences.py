"""Sentences are said in the language of who reads, and what a member wrote stays a value."""

from __future__ import annotations

from bot.sentences import (
    MissingSentence,
    _bundle,
    _lines,
    language_spoken,
    languages,
    missing_sentences,
    say,
    speaking,
)


def test_it_is_said_in_the_language_of_who_reads():
    assert say("people.by-role", role="admin") == "an admin"
    with speaking("de"):
        assert language_spoken() == "de"
        assert say("people.by-role", role="admin") == "einem Admin"
    assert language_spoken() == "en"
    assert languages()[0] == "en"


def test_counts_are_told_as_a_person_would():
    assert say("evidence.no-answer", about="newest", more=0) == "The newest message got no answer."
    assert say("evidence.no-answer", about="newest", more=1204) == "The newest message and 1,204 more got no answer."
    with speaking("de"):
        assert say("evidence.no-answer", about="x", more=0) == "Die Nachricht bekam keine Antwort."


def test_what_a_member_wrote_is_a_value():
    said = say("channel_paused.is-paused", place="{ $who } {-brand} \u2068x\u2069")
    assert said == "{ $who } {-brand} \u2068x\u2069 is paused"


def test_what_a_language_lacks_is_said_in_english_and_told():
    with speaking("xx"):
        assert say("channel_paused.ask-again") == "Ask again: it answers now."
    assert MissingSentence("xx", "channel_paused.ask-again", "is not there") in missing_sentences()


def test_a_name_that_no_file_has_is_shown_and_told():
    assert say("channel_paused.of-no-file") == "channel_paused.of-no-file"
    assert MissingSentence("en", "channel_paused.of-no-file", "is not there") in missing_sentences()


def test_a_sentence_of_words_alone_is_said_as_the_library_says_it():
    """Sentences of one line without numbers are put together here, which saves a command the library's import."""
    for language in languages():
        with speaking(language):
            for subject in ("command_line", "config", "people", "doctor", "copies"):
                bundle = _bundle(subject, language)
                for name, parts in _lines(subject, language).items():
                    values = {value: f"<{value} {{ $x }} {{-y}}>" for value in parts[1::2]}
                    pattern = bundle.get_message(name).value
                    assert say(f"{subject}.{name}", **values) == bundle.format_pattern(pattern, values)[0], name
