"""What Telegram's apps say is checked as Telegram writes that it is to be checked, and as others do it."""

from __future__ import annotations

import pytest

from adapters.telegram.init_data import create_verifier
from tests.servers.telegram.mini_apps import init_data

# an example that is published, with its token: https://docs.telegram-mini-apps.com/platform/init-data
TOKEN = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8"
SAID = (
    "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name"
    "%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D"
    "&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2"
)


@pytest.mark.parametrize("token", [TOKEN, f"{TOKEN}/test"])
def test_a_published_example_is_genuine(token):
    found = create_verifier({"token": token}).verify(SAID)
    assert found is not None
    assert (found.person, found.at) == (("telegram", "279058397"), 1_662_771_648_000)
    assert len(found.digest) == 32


def test_what_differs_in_a_letter_is_not():
    verifier = create_verifier({"token": TOKEN})
    for at in range(len(SAID)):
        turned = f"{SAID[:at]}{'0' if SAID[at] != '0' else '1'}{SAID[at + 1 :]}"
        assert verifier.verify(turned) is None, turned


def test_each_field_counts_and_the_seal_of_the_platform_itself_is_one():
    verifier, said = create_verifier({"token": TOKEN}), init_data(TOKEN, 7, 1_700_000_000, start_param="a")
    assert verifier.verify(said) is not None
    for name in ("query_id", "signature", "start_param", "auth_date", "user", "hash"):
        kept = "&".join(part for part in said.split("&") if not part.startswith(f"{name}="))
        assert kept != said and verifier.verify(kept) is None


@pytest.mark.parametrize(
    "said",
    [
        "",
        "&",
        "=",
        "hash=",
        SAID.upper(),
        SAID + "&",
        SAID + "&a=1",
        SAID + "&x",
        SAID + "é",
        "a=1&" * 30 + SAID,
        SAID * 20,
    ],
)
def test_what_is_no_such_thing_is_nothing(said):
    assert create_verifier({"token": TOKEN}).verify(said) is None
