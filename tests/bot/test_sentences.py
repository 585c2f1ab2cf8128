"""Sentences are said in the language of who reads, and what a member wrote stays a value."""

from __future__ import annotations

import re
import sys

from bot import sentences
from bot.cortex.doctor import doctor_probes
from bot.sentences import (
    MissingSentence,
    SentenceFile,
    language_spoken,
    languages,
    library_trouble,
    missing_sentences,
    plain_sentences,
    say,
    say_without_library,
    sentence_source,
    speaking,
    written_entries,
)
from tests.fakes.lengths import whole_or


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


def test_words_that_a_plugin_brings_are_said_as_they_are_and_are_no_sentence_that_is_missing():
    with speaking("de"):
        assert say("`house` a page") == "`house` a page"
    assert missing_sentences() == ()


def test_the_doctor_says_how_much_a_language_lacks_and_names_three():
    assert [*doctor_probes.sentences("", missing_sentences())] == []
    with speaking("xx"):
        for name in ("observes", "ask-again", "of-no-file"):
            say(f"channel_paused.{name}")
        say("people.by-role", role="admin")
    english, row = doctor_probes.sentences("", missing_sentences())
    assert (row.name, row.state) == ("sentences", "warning")
    names = "channel_paused.ask-again, channel_paused.observes, channel_paused.of-no-file, …"
    assert row.evidence == f"4 sentences cannot be said in xx: {names}"
    assert english.evidence == "1 sentence cannot be said in en: channel_paused.of-no-file"
    with speaking("de"):
        _, row = doctor_probes.sentences("", missing_sentences())
        assert row.evidence.startswith("4 Sätze lassen sich in der Sprache xx nicht sagen: channel_paused.ask-again, ")
        assert row.name == "Sätze" and "Englisch" in row.fix


FILE = """
### A file of somebody who knows Fluent well.

-brand = Glassmind
who = { $many ->
    [one] one of { -brand }
   *[other] many
}
# what is said of it
said = { who }, { -brand }:
    { later }
later = in { -brand(case: "any") } { who }
who = the second of a name
circle = { circle }
broken = { $
whole = { "}" } = x
    .title = { later }
"""


def test_a_sentence_is_read_with_all_that_it_refers_to():
    for name, says in {
        "said": "one of Glassmind, Glassmind:\nin Glassmind one of Glassmind",
        "who": "one of Glassmind",
        "whole": "} = x",
    }.items():
        file = SentenceFile(FILE, "en")
        sentence = file.message(name)
        assert sentence is not None and sentence.value is not None
        assert file.bundle.format_pattern(sentence.value, {"many": 1}) == (says, [])
        assert file.message(name) is sentence


def test_a_broken_sentence_is_not_there_and_no_other_one_minds():
    file = SentenceFile(FILE, "en")
    assert file.message("broken") is None
    assert file.message("of-no-file") is None
    assert file.message("circle") is not None


def test_a_sentence_of_words_alone_is_said_as_the_library_says_it():
    """Sentences of one line without numbers are put together here, which saves a command the library's import."""
    for language in languages():
        with speaking(language):
            for subject in ("command_line", "config", "people", "doctor", "copies"):
                file = SentenceFile(sentence_source(subject, language), language)
                for name, parts in plain_sentences(subject, language).items():
                    values = {value: f"<{value} {{ $x }} {{-y}}>" for value in parts[1::2]}
                    pattern = file.message(name).value
                    assert say(f"{subject}.{name}", **values) == file.bundle.format_pattern(pattern, values)[0], name


def test_sentences_are_said_also_where_the_library_cannot_be_loaded(monkeypatch):
    for name in [one for one in sys.modules if one.partition(".")[0] == "babel" or one.startswith("fluent.runtime")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "babel", None)
    monkeypatch.setattr(sentences, "_unloaded", [])
    sentences._subject.cache_clear()
    assert library_trouble() == ""
    assert say("evidence.no-answer", about="newest", more=0) == "The newest message got no answer."
    assert say("evidence.no-answer", about="newest", more=1204) == "The newest message and 1204 more got no answer."
    with speaking("de"):
        assert say("evidence.no-answer", about="x", more=0) == "Die Nachricht bekam keine Antwort."
    assert say("evidence.of-no-message") == "evidence.of-no-message"
    (row,) = doctor_probes.sentences(library_trouble(), ())
    assert row.state == "warning" and "babel" in row.evidence and "pip install" in row.fix
    monkeypatch.delitem(sys.modules, "babel")
    assert say("evidence.no-answer", about="newest", more=1204).startswith("The newest message and 1,204")
    assert [*doctor_probes.sentences(library_trouble(), ())] == [], "it was missing for a moment only"


def test_without_the_library_a_sentence_says_the_same():
    """But for how its numbers are grouped."""
    for language in languages():
        subjects = {
            one.name.removesuffix(".ftl") for one in sentences.prompts.FOLDER.joinpath("en/sentences").iterdir()
        }
        for subject in sorted(subjects)[:: whole_or(1, 40)]:
            source = sentence_source(subject, language)
            file = SentenceFile(source, language)
            for name, entry in written_entries(source).items():
                words = {*re.findall(r"\[([\w-]+)\]", entry)} - {"one", "other"}
                for value in ("x", 0, 1, 2, *words):
                    values = dict.fromkeys(re.findall(r"\$(\w+)", entry), value)
                    said = file.bundle.format_pattern(file.message(name).value, values)[0]
                    assert say_without_library(entry, values) == (said, ""), f"{language} {subject}.{name}"
