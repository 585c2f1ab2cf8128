"""What a start leaves out: it is timed by tests/bench, and here is said what must not come back."""

from __future__ import annotations

import gc
import sys

import pytest

from bot.imports import lean_imports


def test_imports_hide_what_is_for_terminals_and_collect_nothing(monkeypatch):
    monkeypatch.delitem(sys.modules, "rich", raising=False)
    with lean_imports():
        assert not gc.isenabled()
        with pytest.raises(ImportError):
            import rich  # noqa: F401
    assert gc.isenabled()
    assert "rich" not in sys.modules


def test_what_is_there_already_stays(monkeypatch):
    there = type(sys)("click")
    monkeypatch.setitem(sys.modules, "click", there)
    with lean_imports():
        assert sys.modules["click"] is there
    assert sys.modules["click"] is there


def test_inside_another_the_outer_one_ends_it():
    with lean_imports():
        with lean_imports():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_failed_import_leaves_nothing_behind():
    with pytest.raises(ModuleNotFoundError), lean_imports():
        import_it()
    assert gc.isenabled()
    assert sys.modules.get("rich", sys) is not None


def import_it() -> None:
    import glassmind_has_no_such_module  # noqa: F401
