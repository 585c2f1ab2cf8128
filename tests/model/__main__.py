"""Play against a real model: `MODEL_URL=http://127.0.0.1:8080/v1 MODEL_NAME=x make test-model`.

MODEL_KEY       its key, if it wants one          MODEL_NOTE      what to write beside its name: quantisation, machine
MODEL_WINDOW    what it can hold (8192)           MODEL_OUTPUT    how long an answer may be (512)
PLAY=dialog     only these plays, with commas     TURNS=6         fewer turns of the dialog, the claims, or facts
INJECTIONS=40   only so many of the corpus        INSPECT=0       without the inspection behind each injection
INJECTIONS=link,memory   only those of these effects, places, styles or names; with a number: so many of them
MODEL_REPORT    where the report goes (.model/report.json)        MODEL_MAX_TOKENS_FIELD (max_tokens)

Any OpenAI-compatible server will do. Time is no object: a small model on a processor takes minutes for a prompt, and
every request is told when it is answered. What was played before stays in the report.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

import structlog

from tests.fakes.logs import plain_logs
from tests.faults import scorecard
from tests.faults.scorecard import REPORT
from tests.model.plays import PLAYS, Options
from tests.model.report import Played, keep, read, table
from tests.model.service import Service, Told


def main() -> None:
    try:
        service = Service.of(os.environ)
    except KeyError as missing:
        sys.exit(f"{missing.args[0]} is not set.\n\n{__doc__}")
    chosen = [name for name in os.environ.get("PLAY", "").replace(",", " ").split() if name] or list(PLAYS)
    if unknown := [name for name in chosen if name not in PLAYS]:
        sys.exit(f"There is no play {', '.join(unknown)}. There are: {', '.join(PLAYS)}.")
    plain_logs()
    # what the bot notes of each turn is told here already
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    path = Path(os.environ.get("MODEL_REPORT") or REPORT)
    held = True
    for name in chosen:
        played = _play(name, service)
        keep(played, service, path)
        held = held and played.holds is not False
    report = read(path)
    print(table(report))
    print(f"The report is {path}.")
    if path == REPORT and "injections" in chosen:
        scorecard.write()
    sys.exit(0 if held else 1)


def _play(name: str, service: Service) -> Played:
    told, began = Told(), time.monotonic()
    told.say(f"{name}:")
    with tempfile.TemporaryDirectory(prefix="glassmind-model-") as folder:
        try:
            played = asyncio.run(PLAYS[name](service, told, Options.of(os.environ), Path(folder) / "data"))
        except Exception as error:  # noqa: BLE001 - the other plays are played, and the report says so
            traceback.print_exc()
            played = Played(name, False, remarks=[f"it broke off: {type(error).__name__}: {error}"])
    played.seconds = time.monotonic() - began
    told.say(f"  {name}: {'held' if played.holds else 'unknown' if played.holds is None else 'did NOT hold'}")
    return played


if __name__ == "__main__":
    main()
