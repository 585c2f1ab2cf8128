from __future__ import annotations

import pytest

from bot.domain.base import Digest
from bot.errors import UserError
from bot.tools.mcp.approvals import APPROVALS_FILE, ApprovedTools, ServerApprovals, differences

A, B = Digest("a" * 32), Digest("b" * 32)


def test_what_was_agreed_to_is_kept_for_each_server(tmp_path):
    book = ServerApprovals(tmp_path / "data")
    assert book.of("one") is None
    one, two = ApprovedTools(address=A, at=5, tools={"x": A}), ApprovedTools(address=B, at=6, tools={})
    book.keep("one", one)
    book.keep("two", two)
    assert (ServerApprovals(tmp_path / "data").of("one"), book.of("two")) == (one, two)
    assert (tmp_path / "data" / APPROVALS_FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", ["", "[]", '{"servers": {"one": 5}}', "\0"])
def test_a_broken_file_does_not_make_every_server_a_new_one(tmp_path, content):
    (tmp_path / APPROVALS_FILE).write_text(content)
    for use in (lambda book: book.of("one"), lambda book: book.keep("one", ApprovedTools(address=A, at=1, tools={}))):
        with pytest.raises(UserError, match="Remove it to trust what the servers offer"):
            use(ServerApprovals(tmp_path))


def test_new_and_changed_tools_are_told_apart_and_those_that_went_are_nobodys_concern():
    assert differences({"x": A, "y": A, "gone": A}, {"x": A, "y": B, "z": A}) == {"y": "changed", "z": "new"}
