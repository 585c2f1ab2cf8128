"""What stays of Python is valid Python that defines the same things, found by the parser and not by luck."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence

import pytest

from bot.task_prompt.truncate.python import SourceOutline, read, rungs
from bot.task_prompt.truncate.python_lines import blank
from tests.architecture.tree import ROOT

HUGE = 1_000_000


def steps(source: str) -> dict[str, str]:
    return {rung.name: rung.text for rung in rungs(textwrap.dedent(source), HUGE)}


def defined(body: Sequence[ast.stmt], before: str = "") -> list[object]:
    """Everything that a body defines and imports: signatures, decorators, docstrings."""
    found: list[object] = []
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                said = (ast.unparse(node.args), node.returns and ast.unparse(node.returns))
                found.append(
                    (before + node.name, said, list(map(ast.unparse, node.decorator_list)), ast.get_docstring(node))
                )
            case ast.ClassDef():
                found.append((before + node.name, list(map(ast.unparse, node.bases)), ast.get_docstring(node)))
                found += defined(node.body, f"{before}{node.name}.")
            case ast.Import() | ast.ImportFrom():
                found.append(ast.unparse(node))
            case ast.If() | ast.Try():
                found += defined([*node.body, *node.orelse], before)
    return found


OURS = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "adapters").rglob("*.py")])[::15]


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_of_our_own_code_everything_that_is_defined_stays(path):
    source = path.read_text(encoding="utf-8")
    outline = read(source)
    assert outline.parsed
    made = {rung.name: rung.text for rung in rungs(source, HUGE)}
    whole = ast.parse(source)
    for name in {"bodies"} & made.keys():
        assert defined(ast.parse(made[name]).body) == defined(whole.body)
    bare = ast.parse(made["no docstrings"])
    assert [one[:1] for one in defined(bare.body)] == [one[:1] for one in defined(whole.body)]
    assert not any(ast.get_docstring(node) for node in ast.walk(bare) if isinstance(node, _DOCUMENTED))


_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def test_what_stands_in_a_string_is_no_code():
    made = steps('''
        def f():
            text = """
        def g():
            pass
        """
            return text

        def h(): return "# no comment"
    ''')
    assert made["bodies"] == 'def f(): ...  # 5 lines\n\ndef h(): return "# no comment"'


def test_brackets_at_the_margin_are_understood_by_the_parser():
    made = steps("""
        def f(a,
        b):
            x = [
        1,
        2]
            return x
        y = 1
    """)
    assert made["bodies"] == "def f(a,\nb): ...  # 4 lines\ny = 1"


def test_long_values_go_and_short_ones_stay():
    made = steps("""
        A: int = 1
        TABLE = {
            1: 2,
            3: 4,
            5: 6,
        }
        if __debug__:
            import os
            def f():
                return os
        for n in range(3):
            a = n
            b = n
            print(a, b)
        TEXT = ("long "
            "longer "
            "and longer "
            "still")
    """)
    assert made["bodies"] == textwrap.dedent("""\
        A: int = 1
        TABLE = ...  # 5 lines
        if __debug__:
            import os
            def f(): ...  # 1 line
        ...  # 4 lines
        TEXT = ...  # 4 lines""")


def test_overloads_properties_and_nested_classes_stay():
    made = steps('''
        class A(B, metaclass=C):
            """Doc."""

            class Inner:
                x: int = 3

            @property
            @cached(size=3)  # why
            def p(self) -> "A":
                """Only a docstring."""

            @overload
            def o(self, *, a: int = 3) -> int: ...
            async def q(self):
                # first
                await self.o(
                    a=4)
    ''')
    assert made["bodies"] == textwrap.dedent('''\
        class A(B, metaclass=C):
            """Doc."""

            class Inner:
                x: int = 3

            @property
            @cached(size=3)  # why
            def p(self) -> "A":
                """Only a docstring."""

            @overload
            def o(self, *, a: int = 3) -> int: ...
            async def q(self): ...  # 2 lines''')
    assert made["no docstrings"] == textwrap.dedent("""\
        class A(B, metaclass=C):
            class Inner:
                x: int = 3
            @property
            @cached(size=3)  # why
            def p(self) -> "A":
                ...
            @overload
            def o(self, *, a: int = 3) -> int: ...
            async def q(self): ...  # 2 lines""")
    assert made["names"] == "class A: Inner, p, o, q"


def test_letters_beyond_ascii_move_nothing():
    made = steps('Größe = {"ä": 1,\n "ö": 2,\n "ü": 3,\n "ß": 4}\ndef grüße(名: str):\n    x = "é"\n    return x')
    assert made["bodies"] == "Größe = ...  # 4 lines\ndef grüße(名: str): ...  # 2 lines"


@pytest.mark.parametrize(
    "source",
    [
        "def f(:\n  pass",
        "class",
        "def f():\n\treturn 1\n  return 2",
        '"""never closed\ndef f(): pass',
        "x = (((((" * 200,
        "(" * 5000,
        "def f():\n" * 300,
        "\x00def f(): pass",
        "f'{'",
        "print 'python 2'",
        "def f():\n    return '\\d'\n" * 3,
        "\r\ndef f():\r\n    return 1\r\n    # end\r\n",
        "@\n",
        "def",
        "\\",
        "async def\\\nf(): pass",
        "",
    ],
)
def test_whatever_it_is_it_gives_an_outline(source):
    assert isinstance(read(source), SourceOutline)
    assert all(rung.note for rung in rungs(source, HUGE))


def test_what_is_no_valid_python_goes_by_its_lines_and_says_so():
    (bodies, *_) = rungs(
        "import os\ndef f(a, b:\n    x = 1\n    return x\nclass A:\n    def g(self):\n        pass\n", HUGE
    )
    assert bodies.note.endswith("; it is not valid Python, so this goes by its lines")


def test_blanking_keeps_lines_and_columns():
    source = 'a = """x\ny""" + b  # c\nd = \'#\' + "\\""\n'
    lines = blank(source)
    assert len(lines) == len(source.split("\n"))
    assert lines[0].startswith('a = ""') and lines[0].endswith("\\")
    assert lines[1].index("+ b") == source.split("\n")[1].index("+ b")
    assert "#" not in "".join(lines)


def test_what_has_no_chance_to_fit_is_not_parsed():
    assert list(rungs("def f(): pass\n" * 1000, room=100)) == []
