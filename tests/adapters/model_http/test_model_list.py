"""A list of models is read in whichever of the usual forms it comes."""

from __future__ import annotations

import orjson
import pytest

from adapters.model_http.model_list import _MAX_NAMES, _names

ROW = {"id": "m1", "object": "model"}


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"object": "list", "data": [ROW, {"id": "m2"}, ROW]}, ["m1", "m2"]),
        ([ROW], ["m1"]),  # Together
        ({"models": [{"name": "m1:latest", "model": "m1"}]}, ["m1:latest"]),  # Ollama's own
        ({"models": [{"name": "m1"}], "data": [ROW]}, ["m1"]),  # llama.cpp
        ({"data": [7, None, {"id": 7}, {}, "m1", {"id": ""}, ROW]}, ["m1"]),
        ({"data": []}, []),
        ({"data": None}, None),
        ({"error": {"message": "loading"}}, None),
        ("hello", None),
        ({"data": [{"id": f"m{number}"} for number in range(_MAX_NAMES + 5)]}, [f"m{n}" for n in range(_MAX_NAMES)]),
    ],
)
def test_every_form_is_read(body: object, names: list[str] | None):
    assert _names(orjson.dumps(body)) == names


def test_what_is_no_json_is_no_list():
    assert _names(b"<html>welcome</html>") is None and _names(b"") is None
