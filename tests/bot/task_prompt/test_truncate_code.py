"""Other languages keep what they define: by a parser where there is one, else by their braces."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.tokens import by_bytes
from bot.task_prompt.truncate import LADDERS, truncate
from bot.task_prompt.truncate.code import rungs
from bot.task_prompt.truncate.grammars import GRAMMARS, _grammar, parser
from tests.bot.task_prompt.given import chunk, odd
from tests.golden.golden import matches

HUGE = 1_000_000
SOURCES = {
    "javascript": """// Users of "the" service.
import { db } from "./db";

const LIMIT = 3;

export class UserService extends Base {
  /** Keeps users. */
  constructor(db) {
    super();
    this.db = db;
  }

  async getUser(id) {
    if (!this.cache[id]) {
      this.cache[id] = await this.db.get(`user ${id} {`);
    }
    return this.cache[id];
  }
}

export const main = async (argv) => {
  // runs
  await run(new UserService(db), argv);
};

function größe(x) { return x; }
""",
    "go": """package main

import "fmt"

// User is one.
type User struct {
	ID   int
	Name string
}

func (u *User) Hello(to string) error {
	if to == "" {
		return fmt.Errorf("nobody {")
	}
	return nil
}

func main() {
	fmt.Println("hi")
}
""",
    "rust": """use std::fmt;
/// A user.
pub struct User { id: u64 }
impl User {
    pub fn new<'a>(id: u64) -> Self {
        let c = '{';
        User { id }
    }
}
fn main() {
    println!("{}", 1);
}
""",
    "c": """#include <stdio.h>
/* adds */
static int *add(int a, int b) {
    return a + b;
}
struct user { int id; };
int main(void)
{
    printf("}");
    return 0;
}
""",
    "java": """package a;
import java.util.List;
public class A extends B {
  private int x = 1;
  public A(int x) {
    this.x = x;
  }
  List<String> names() throws E {
    return List.of("}");
  }
  interface C { void d(); }
}
""",
    "typescript": """interface User { id: number; name?: string }
type Id = string | number;
export function find<T extends User>(id: Id, all: T[]): T | undefined {
  return all.find((one) => {
    return one.id === id;
  });
}
export abstract class Repo<T> {
  protected abstract load(id: Id): Promise<T>;
  get size(): number {
    return this.all.length;
  }
}
""",
}
WITHOUT_GRAMMAR = "cpp"
"""A language that nobody here parses: it goes by its braces, as all do where the extra is not installed."""


def shown(language: str, content: str) -> str:
    return "\n\n".join(f"=== {rung.name} [{rung.note}]\n{rung.text}" for rung in rungs(language, content, HUGE))


@pytest.mark.parametrize("language", list(SOURCES))
def test_the_ladder(language, pytestconfig):
    assert parser(language) is not None, "the extra `code` belongs to the development environment"
    assert matches(pytestconfig, f"protocol/ladder_{language}", shown(language, SOURCES[language]))


@pytest.mark.parametrize("language", list(SOURCES))
def test_without_a_parser_it_goes_by_the_braces(language, pytestconfig):
    assert parser(WITHOUT_GRAMMAR) is None
    assert matches(pytestconfig, f"protocol/braces_{language}", shown(WITHOUT_GRAMMAR, SOURCES[language]))


def test_every_grammar_has_a_ladder():
    assert set(GRAMMARS) <= set(LADDERS) and WITHOUT_GRAMMAR in LADDERS
    assert all(parser(language) for language in GRAMMARS)


def test_a_grammar_that_is_not_installed_is_no_error(monkeypatch):
    _grammar.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_c", None)
    assert parser("c") is None
    assert "found by its braces" in shown("c", SOURCES["c"])
    _grammar.cache_clear()


def test_what_has_no_chance_to_fit_is_not_parsed():
    assert list(rungs("go", SOURCES["go"] * 100, 100)) == []


def test_what_does_not_parse_says_so():
    (bodies, *_) = rungs("javascript", "function f() {\n  a;\n  b;\n}\nclass class {}", HUGE)
    assert bodies.note.endswith("; it does not parse as a whole")
    (bodies, *_) = rungs("javascript", "function f() {\n  a;\n  b;\n}\nclass {{{", HUGE)
    assert bodies.note.endswith("; found by its braces")


@settings(max_examples=80, deadline=None)
@given(st.sampled_from([*SOURCES, WITHOUT_GRAMMAR]), st.data())
def test_no_text_breaks_it(language, data):
    source = SOURCES.get(language, SOURCES["java"])
    at = data.draw(st.integers(0, len(source)))
    text = source[:at] + data.draw(odd) + source[at + data.draw(st.integers(0, 60)) :]
    for rung in rungs(language, text, HUGE):
        assert rung.name and rung.note
        # nothing of a body that was cut may be left behind
        assert len(rung.text) <= len(text) + 30 * rung.text.count("/*")


@pytest.mark.parametrize("language", ["javascript", WITHOUT_GRAMMAR])
def test_a_chunk_is_cut_to_its_room(language):
    given_ = chunk(SOURCES["javascript"] * 4, "users.js", language=language)
    cut = truncate(given_, given_.tokens or 420, by_bytes)
    assert cut.rung == "long bodies"
    assert "getUser(id) { /* 4 lines */ }" in cut.chunk.content
