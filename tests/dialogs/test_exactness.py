"""What the inspector shows is what the model gets, byte for byte, whatever a conversation does."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from tests.dialogs.bot import GENERAL, a_bot
from tests.dialogs.online import client_of, model_config, online
from tests.dialogs.plots import ANSWERS, CALM, FINE, TROUBLED, WORDS
from tests.dialogs.steps import (
    FORMS,
    Crowd,
    CutOff,
    CutOffBehindAnAnswer,
    Looks,
    Meanwhile,
    Orders,
    Restarts,
    Rewrites,
    Step,
    Talk,
    Together,
    Waits,
)
from tests.dialogs.witness import Witness
from tests.fakes.lengths import whole_or
from tests.servers.model import ModelServer, model_server

EACH = {"openai": whole_or(10, 3), "anthropic": whole_or(10, 2)}
"""Conversations of each theme; what differs between the languages is the encoder, which has properties of its own."""
FEW = whole_or(4, 2)
QUIET_EVENTS = {"incident_began", "event_loop_blocked"}
"""What may be told beside: that a service fails, and that the machine was busy with something else."""
DIALECTS: dict[str, tuple[str, ...]] = {
    "mistral": ("mistral",),
    "gemma": ("gemma", "lm_studio", "system_as_user"),
    "deepseek": ("deepseek", "developer"),
    "gemini": ("gemini", "single_calls", "no_schema:minimum"),
    "toolless": ("no_tools", "alternate"),
    "old": ("ollama", "no_stream_options", "no_tool_choice", "nine_ids"),
}
"""Every trait, with neighbours that it has somewhere."""
WIDE, ROOM = "context_window = 128000", 600
"""`ROOM` is for a few sentences behind everything that always stays; with it, old turns are left out."""

RANDOM = settings(
    deadline=None,
    derandomize=True,  # the same conversations in every run; a soak takes other ones
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)

PLACES = st.sampled_from(["#general"] * 6 + ["#random", "dm"])
GROUPS = st.sampled_from(["#general"] * 4 + ["#random"])
NAMES = st.sampled_from(["ann", "james", "bo", "mod"])
SPEECH = {"name": NAMES, "place": PLACES, "form": st.sampled_from(list(FORMS)), "text": WORDS}
LONG = WORDS.map(lambda text: f"{text} " * 20)
HELLO = Talk("james", "#general", "talk", "it is early", FINE)
CALM_TALK = st.builds(Talk, **SPEECH, plot=CALM)
WORDS_OF_COMMAND = ["!active", "!mention-only", "!quiet", "!pause for now", "!resume", "!new", "!stop", "!status"]
MODELS = ["!model second-model", "!model default"]
ORDERS = st.builds(Orders, st.sampled_from(WORDS_OF_COMMAND), GROUPS)
REWRITES = st.builds(Rewrites, st.sampled_from(["edit", "edit", "delete"]), st.integers(0, 9), WORDS)
WAYS = ["next", "sent", "in_flight", "rows", "export", "question", "question"]
TYPED = ["context", "last", "ledger", "why", "memory", "audit", "doctor", "export"]
LOOKS = st.builds(Looks, st.sampled_from([*WAYS, *TYPED]), GROUPS)

THEMES: dict[str, st.SearchStrategy[Step]] = {
    "talk": CALM_TALK,
    "orders": st.one_of(
        CALM_TALK,
        CALM_TALK,
        ORDERS,
        st.builds(Orders, st.sampled_from(MODELS), GROUPS),
        st.builds(Meanwhile, st.sampled_from(WORDS_OF_COMMAND), GROUPS, CALM),
    ),
    "rewriting": st.one_of(CALM_TALK, REWRITES, st.builds(Crowd, GROUPS, st.booleans(), WORDS, WORDS, CALM)),
    "trouble": st.one_of(CALM_TALK, st.builds(Talk, **SPEECH, plot=TROUBLED)),
    "restarts": st.one_of(
        CALM_TALK,
        CALM_TALK,
        st.just(Restarts()),
        st.builds(CutOff, NAMES, PLACES, WORDS, CALM),
        st.builds(CutOffBehindAnAnswer, PLACES, WORDS),
        st.builds(Waits, st.floats(0.1, 60)),
    ),
    "looking": st.one_of(CALM_TALK, LOOKS, LOOKS),
    "no room": st.builds(Talk, NAMES, st.just("#general"), st.just("mention"), LONG, ANSWERS),
    "everything": st.one_of(
        CALM_TALK,
        st.builds(Talk, **SPEECH, plot=TROUBLED),
        ORDERS,
        REWRITES,
        LOOKS,
        st.just(Restarts()),
        st.builds(Together, WORDS),
        st.builds(Waits, st.floats(0.1, 60)),
    ),
}


@dataclass
class Stage:
    """One event loop and one model server for all conversations of one language."""

    runner: asyncio.Runner
    directory: Path
    server: ModelServer
    dialect: Sequence[str] = ()
    narrow: str = ""
    conversations: int = 0
    requests: int = 0

    @property
    def config(self) -> str:
        language = self.server.language
        fallbacks = f'fallbacks = ["{language}/second-model"]'
        return model_config('[cortex]\nper_minute = 1000\npicture = "off"\n', model=fallbacks, language=language)

    async def measure(self) -> None:
        """Find the window in which little more than the system prompt and the tools have room."""
        with tempfile.TemporaryDirectory(dir=self.directory) as data:
            async with online(Path(data), self.server, self.config, dialect=self.dialect) as bot:
                await bot.says("james", "it is early")
                stats = (await bot.app.inspector.inspect(GENERAL)).numbers.stats
        window = stats.total + bot.app.config.model.max_output_tokens + ROOM
        # nothing is shortened: this is about what does not fit
        off = "[compaction]\nenabled = false\n"
        self.narrow = self.config.replace(WIDE, f"context_window = {window}") + off

    def play(self, theme: str, steps: list[Step]) -> None:
        with tempfile.TemporaryDirectory(dir=self.directory) as data, capture_logs() as logs:
            self.runner.run(self._play(Path(data), theme, steps))
        loud = [entry for entry in logs if entry["log_level"] in ("warning", "error", "critical")]
        # that a service refuses is what a conversation of trouble is about
        assert [entry for entry in loud if entry["event"] not in QUIET_EVENTS] == []

    async def _play(self, data: Path, theme: str, steps: list[Step]) -> None:
        more, ambient = self.narrow if theme == "no room" else self.config, 3 if theme == "talk" else 50
        provider = client_of(self.server, dialect=self.dialect)
        try:
            async with a_bot(data, providers={self.server.language: provider}, more=more, ambient=ambient) as bot:
                witness = Witness(bot, self.server, self.dialect)
                for step in (HELLO, *steps, Restarts()):
                    await step.happen(witness)
                await witness.outcomes()
        finally:
            await provider.close()
        self.conversations += 1
        self.requests += witness.requests


@pytest.fixture(scope="module", params=["openai", "anthropic", *DIALECTS])
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    keys = DIALECTS.get(request.param, ())
    with asyncio.Runner() as runner:
        serving = model_server(language="openai" if keys else request.param)
        # these tests are about content; a disk that is busy elsewhere would only make them slow
        memory = Path("/dev/shm")
        directory = memory if os.access(memory, os.W_OK) else tmp_path_factory.mktemp("exactness")
        stage = Stage(runner, directory, runner.run(serving.__aenter__()), keys)
        runner.run(stage.measure())
        yield stage
        runner.run(serving.__aexit__(None, None, None))


@pytest.mark.timeout(300)  # a failing conversation is made smaller before it is shown
@pytest.mark.parametrize("theme", THEMES)
def test_shown_is_sent(stage: Stage, theme: str) -> None:
    each = FEW if stage.dialect else EACH[stage.server.language]

    @settings(RANDOM, max_examples=each)
    @given(st.lists(THEMES[theme], min_size=3, max_size=5))
    def conversation(steps: list[Step]) -> None:
        stage.play(theme, steps)

    before = stage.conversations
    conversation()
    assert stage.conversations - before >= each
