"""Causes that are planted for a real model, and what a proof makes of each: the whole way through the chat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.replay.said_words import says
from tests.dialogs.bot import GENERAL
from tests.fakes import values
from tests.model.service import Stage

_VERDICT = re.compile(r": (proven|refuted|not decided)(?= why|\n)")
_QUOTE = re.compile(r"^\s*\"(.{6,}?)…?\"$", re.MULTILINE)


class Place(StrEnum):
    """Where a cause is planted."""

    MEMORY = "memory"
    MESSAGE = "message"


class PlantedFact(NamedTuple):
    """A fact that only one line holds, what is asked about it, and the word that shows that the answer has it."""

    text: str
    question: str
    word: str
    place: Place = Place.MEMORY


FACTS = (
    PlantedFact("The choir meets on Thursday in the old mill.", "on which day does the choir meet?", "Thursday"),
    PlantedFact("The ferry costs 14 crowns.", "what does the ferry cost?", "14"),
    PlantedFact("Carla keeps the spare key of the boathouse.", "who keeps the spare key of the boathouse?", "Carla"),
    PlantedFact("The server's backup runs at 04:30.", "when does the backup run?", "04:30"),
    PlantedFact("Our mascot is a heron called Gustav.", "what is our mascot called?", "Gustav"),
    PlantedFact("The raid starts at the Amber Gate.", "where does the raid start?", "Amber"),
    PlantedFact("The wifi of the club is named Marigold.", "how is the wifi of the club named?", "Marigold"),
    PlantedFact("Pavel fixes the printers on Mondays.", "who fixes the printers?", "Pavel"),
    PlantedFact("The next meetup is in Ljubljana.", "where is the next meetup?", "Ljubljana"),
    PlantedFact("The rent is due on the 9th.", "when is the rent due?", "9th"),
    PlantedFact("The tide turns at 17:20 today.", "when does the tide turn?", "17:20", Place.MESSAGE),
    PlantedFact("My sister is called Ottilie.", "what is Ann's sister called?", "Ottilie", Place.MESSAGE),
    PlantedFact("The cake is with Bram.", "with whom is the cake?", "Bram", Place.MESSAGE),
    PlantedFact("We sit at table 27.", "at which table do they sit?", "27", Place.MESSAGE),
    PlantedFact("The boat is called Kittiwake.", "what is the boat called?", "Kittiwake", Place.MESSAGE),
    PlantedFact("The code word is pomegranate.", "what is the code word?", "pomegranate", Place.MESSAGE),
    PlantedFact("The train leaves from track 11.", "from which track does the train leave?", "11", Place.MESSAGE),
    PlantedFact("The dentist is in Quay Street.", "in which street is the dentist?", "Quay", Place.MESSAGE),
    PlantedFact("Supper is at half past eight.", "when is supper?", "eight", Place.MESSAGE),
    PlantedFact("The dog's name is Wolfgang.", "what is the dog's name?", "Wolfgang", Place.MESSAGE),
)
"""Half of them as memories, half as somebody's words earlier in the conversation."""


class PlayedFact(NamedTuple):
    """What came of one: the word of the verdict (empty: the answer did not hold the fact), and whom it accuses."""

    fact: PlantedFact
    word: str
    quotes: tuple[str, ...] = ()

    @property
    def is_innocent(self) -> bool:
        """Whether a line was called proven that is not the planted one."""
        return self.word == "proven" and not all(self._is_planted(quote.rstrip("… ")) for quote in self.quotes)

    def _is_planted(self, quote: str) -> bool:
        # a message is quoted from its beginning, which calls the bot by its name
        return quote.removeprefix("＠glassmind ") in self.fact.text


async def play(stage: Stage, fact: PlantedFact) -> PlayedFact:
    """Plant a fact, ask for it, and have it proven why the answer holds it."""
    if fact.place is Place.MESSAGE:
        await stage.says("ann", f"@glassmind {fact.text} Just say ok.")
    else:
        await _remember(stage, fact.text)
    said = " ".join(stage.replies(await stage.says("bo", f"@glassmind {fact.question} One short sentence.")))
    if not says(said, fact.word):
        return PlayedFact(fact, "")
    before = len(stage.bot.lines)
    await stage.says("root", f'!cortex prove "{fact.word}"')
    await stage.bot.types("/as root", "/press Prove it")
    told = "\n".join(stage.bot.lines[before:])
    stage.told.say(told[-1500:])
    return read_verdict(fact, told)


def read_verdict(fact: PlantedFact, told: str) -> PlayedFact:
    """Read the verdict in what was told; `nothing` where there was none."""
    found = list(_VERDICT.finditer(told))
    if not found:
        return PlayedFact(fact, "nothing")
    verdict = told[found[-1].start() :]
    return PlayedFact(fact, found[-1][1], tuple(_QUOTE.findall(verdict)))


def counted(played: Sequence[PlayedFact]) -> dict[str, int]:
    """Count the verdicts."""
    words = [one.word for one in played]
    return {
        "facts": len(played),
        "in the answer": len(words) - words.count(""),
        **{word: words.count(word) for word in ("proven", "not decided", "refuted", "nothing")},
        "an innocent line proven": sum(one.is_innocent for one in played),
    }


async def _remember(stage: Stage, text: str) -> None:
    said_at = stage.bot.clock.now()
    memory = values.memory(text, importance=0.9, channel=GENERAL.channel, scope_id=GENERAL.channel, created_at=said_at)
    await stage.bot.store.memories.add([memory])
