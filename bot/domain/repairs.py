"""What had to be put right before an answer could be read; in a record it stands by its value."""

from __future__ import annotations

from enum import StrEnum


class AnswerRepair(StrEnum):
    """One thing that was put right, or could not be."""

    THOUGHTS_MARKED = "thoughts_marked"
    """Thoughts stood in the words, between marks."""
    THOUGHTS_UNOPENED = "thoughts_unopened"
    """Thoughts stood in the words, and only their end was marked."""
    THOUGHTS_IN_REPLY = "thoughts_in_reply"
    """Thoughts stood in what a tool was to say to people."""
    NO_FINISH = "no_finish"
    """The stream ended in order without a word on why."""
    SHARED_INDEX = "shared_index"
    """Several calls had one number."""
    STRAY_IDS = "stray_ids"
    """The pieces of one call came under several ids."""
    CALL_TWICE = "call_twice"
    """One tool call came twice."""
    NAME_IN_PIECES = "name_in_pieces"
    """A tool's name came in pieces, or after its arguments."""
    NAME_MENDED = "name_mended"
    """A tool's name had something around it."""
    ARGUMENTS_TWICE = "arguments_twice"
    """Arguments came more than once, and were the same."""
    ARGUMENTS_ADRIFT = "arguments_adrift"
    """Arguments came of which nobody can say whose they are: those calls are not run."""
    PARALLEL_CALL = "parallel_call"
    """Several calls stood in the arguments of one."""
    CALL_WRITTEN = "call_written"
    """A call was written as text: the server has no parser for it."""
    CALL_WRITTEN_TOO = "call_written_too"
    """Calls came, and stood in the words as well."""
    CALL_UNREADABLE = "call_unreadable"
    """A call was written as text, and cannot be read."""
