"""A model that needs no key and no network: it reads the usual body and answers by rules. It says what it is.

What it follows:

- Instructions in the system prompt, in plain English, about answering somebody or nobody: "do not answer ann",
  "ann asked the bot to stop responding to her", "answer ann again" (`instructions.py`). The last one counts.
- A small script language in what a person writes, one command a line (`script.py`):

  ======================================================  ==========================================
  ``say TEXT``, ``echo TEXT``                             answers exactly TEXT
  ``say nothing``                                         answers with an empty text
  ``remember [as TYPE] [with importance 0.9]: TEXT``      calls ``memory_save``
  ``recall WORDS``, ``search WORDS``                      calls ``memory_recall``, ``channel_recall``
  ``react EMOJI``, ``reply TEXT``, ``skip REASON``        calls that tool
  ``call TOOL JSON``                                      calls any tool with these very arguments
  ======================================================  ==========================================

- An inspection (when it is offered ``read_channel_context``): it reads the outline, the memories, the other sections,
  the status and the ledger, and reports what it read (`inspection.py`).
- A talk of an admin with the cortex (when it is offered ``context_inspect``): it follows the same scripts, or repeats
  what the rules say.

Everything else gets a short, fixed answer with the mark ``(simulated)``. Equal bodies give equal answers.
"""

from __future__ import annotations

from collections.abc import Mapping

from adapters.simulated.provider import Settings, SimulatedProvider


def create(name: str, settings: Mapping[str, object]) -> SimulatedProvider:
    """Build the simulation; it has no settings, and unknown ones raise pydantic's ValidationError."""
    Settings.model_validate(dict(settings))
    return SimulatedProvider(name)
