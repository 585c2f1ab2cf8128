"""Who is near, and how long one waits for them."""

from __future__ import annotations

import pytest

from bot.domain.patience import Patience, alive_seconds, is_local, patience_with

NEAR = [
    "localhost",
    "127.0.0.1",
    "127.8.9.1",
    "::1",
    "[::1]",
    "10.1.2.3",
    "172.16.0.9",
    "172.31.255.1",
    "192.168.1.20",
    "169.254.3.4",
    "fe80::1%eth0",
    "fd12:3456::1",
    "::ffff:192.168.1.20",
    "100.64.0.7",
    "0.0.0.0",
    "ollama",
    "gpu-box",
    "box.local",
    "studio.LOCAL.",
    "host.docker.internal",
    "host.containers.internal",
    "llm.lan",
    "llm.home.arpa",
    "api.localhost",
]
FAR = [
    "api.openai.com",
    "openrouter.ai",
    "8.8.8.8",
    "172.32.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "local.example.com",
    "notlocal.com",
    "example.localdomain.com",
]


@pytest.mark.parametrize("host", NEAR)
def test_near(host: str):
    assert is_local(host)
    assert patience_with(host, 30, is_set=False) == Patience(300, 300, loads=True)


@pytest.mark.parametrize("host", [*FAR, ""])
def test_far(host: str):
    assert not is_local(host)
    assert patience_with(host, 30, is_set=False) == Patience(30, 300)


def test_a_key_wins_everywhere():
    assert patience_with("localhost", 600, is_set=True) == Patience(600, 600, loads=True)
    assert patience_with("localhost", 5, is_set=True) == Patience(5, 50)
    assert patience_with("api.openai.com", 600, is_set=True) == Patience(600, 600)


def test_life_is_borne_with_for_longer_than_silence_and_not_for_ever():
    assert [alive_seconds(silent) for silent in (0.5, 20, 30, 300, 900)] == [5, 200, 300, 300, 900]
