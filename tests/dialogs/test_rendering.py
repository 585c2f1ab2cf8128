"""What people see of an answer: tables, formulas, code within code, and marks over a cut, on both platforms."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from bot.text.text import utf16_length
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.fakes.provider import ScriptedProvider, Writes, says
from tests.rendering.discord_draws import drawn
from tests.servers.telegram.spans import cut


async def on_discord(tmp_path, text: str) -> list[str]:
    """What stands in the channel."""
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(says(text))) as bot:
        return [answer.text for answer in await bot.hears(bot.ann, f"{bot.at} tell me")]


async def on_telegram(tmp_path, text: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """What stands in the chat, and how what of it is drawn, where the server draws no tables."""
    async with a_telegram_bot(tmp_path / "data", model=ScriptedProvider(says(text))) as bot:
        bot.world.switches.rich = False
        answers = await bot.hears(bot.ann, f"{AT} tell me")
        return [
            (
                answer.text,
                [
                    (one["type"], cut(answer.text, one["offset"], one["length"]))
                    for one in answer.json.get("entities", [])
                ],
            )
            for answer in answers
        ]


# tables

TEAS = """Here:

| Tea | Command | More |
|:---|:---:|---:|
| **Earl Grey** | `brew -4` | [read](https://example.org/earl) |
| Sencha | `brew -2` | - |

So it is."""
TEAS_DRAWN = """Tea        Command  More
─────────  ───────  ────
Earl Grey  brew -4  read
Sencha     brew -2     -"""
PEOPLE = """| Name | What they do | Since |
|---|---|---|
| Ann | looks after the kettles of the whole house | 2019 |
| **James** | writes `notes.md`, and reads it to everybody | 2021 |"""


async def test_a_narrow_table_is_a_block_of_columns_with_its_links_below(tmp_path):
    (shown,) = await on_discord(tmp_path / "d", TEAS)
    assert shown == f"Here:\n\n```\n{TEAS_DRAWN}\n```\n[read](https://example.org/earl)\n\nSo it is."
    ((text, entities),) = await on_telegram(tmp_path / "t", TEAS)
    assert text == f"Here:\n\n{TEAS_DRAWN}\nread\n\nSo it is."
    assert entities == [("pre", TEAS_DRAWN), ("text_link", "read")]


async def test_a_wide_table_is_a_list_of_its_rows(tmp_path):
    (shown,) = await on_discord(tmp_path / "d", PEOPLE)
    assert shown == (
        "- **Name:** Ann\n  **What they do:** looks after the kettles of the whole house\n  **Since:** 2019\n"
        "- **Name:** **James**\n  **What they do:** writes `notes.md`, and reads it to everybody\n  **Since:** 2021"
    )
    ((text, entities),) = await on_telegram(tmp_path / "t", PEOPLE)
    assert text == re.sub(r"\*\*|`", "", shown)
    assert ("code", "notes.md") in entities and ("bold", "James") in entities


async def test_a_long_table_has_its_head_again_after_every_cut(tmp_path):
    rows = "".join(f"| number {n} | {n * n} |\n" for n in range(170))
    table = f"| n | square |\n|---|--:|\n{rows}"
    answers = await on_discord(tmp_path / "d", table)
    assert len(answers) == 2 and all(re.match(r"```\nn +square\n─+  ─+\n", answer) for answer in answers)
    assert all(answer.endswith("\n```") and utf16_length(answer) <= 2000 for answer in answers)
    assert [int(n) for answer in answers for n in re.findall(r"number (\d+) ", answer)] == list(range(170))
    ((text, entities), *others) = await on_telegram(tmp_path / "t", table * 1)
    assert not others and entities == [("pre", text)]


async def test_no_mark_is_left_out_where_there_are_many(tmp_path):
    rows = "".join(f"| number {n} | what it is for, and for whom | `run {n}` |\n" for n in range(50))
    parts = await on_telegram(
        tmp_path / "t", f"| The name of it | What it does here | Command |\n|---|---|---|\n{rows}"
    )
    codes = [shown for _, entities in parts for kind, shown in entities if kind == "code"]
    assert codes == [f"run {n}" for n in range(50)] and all(len(entities) <= 100 for _, entities in parts)
    parts = await on_telegram(tmp_path / "s", " ".join(f"**{n}**" for n in range(150)))
    assert [shown for _, entities in parts for _, shown in entities] == [str(n) for n in range(150)]


# formulas

EINSTEIN = r"So \[ E = 1 \cdot 10^{16}\,\text{J} \] it is, where $x_{i}*y_{j}$ and \(a*b*c\) are small."
INTEGRAL = (
    "Then\n\n$$\n\\int_0^1 x^2\\,dx = \\frac{1}{3} \\\\\n* \\text{and } a_1*a_2\n$$\n\nand it costs $5 or $10 a cup."
)


async def test_a_formula_keeps_every_character(tmp_path):
    formulas = [r"\[ E = 1 \cdot 10^{16}\,\text{J} \]", "$x_{i}*y_{j}$", r"\(a*b*c\)"]
    ((text, entities),) = await on_telegram(tmp_path / "t", EINSTEIN)
    assert text == EINSTEIN and entities == [("code", formula) for formula in formulas]
    (shown,) = await on_discord(tmp_path / "d", EINSTEIN)
    assert shown == re.sub("|".join(map(re.escape, formulas)), lambda found: f"`{found[0]}`", EINSTEIN)


async def test_a_formula_of_several_lines_is_a_block_and_a_price_is_none(tmp_path):
    formula = INTEGRAL.split("\n\n")[1]
    ((text, entities),) = await on_telegram(tmp_path / "t", INTEGRAL)
    assert text == INTEGRAL and entities == [("pre", formula)]
    (shown,) = await on_discord(tmp_path / "d", INTEGRAL)
    assert shown == INTEGRAL.replace(formula, f"```\n{formula}\n```")


# code

README = "Save this:\n\n```markdown\n# Tea\n\n```python\nbrew()\n```\n\nand drink.\n```\n\nDone."
STEPS = (
    "1. First:\n\n    ```python\n    if tea:\n        drink()\n    ```\n\n"
    "2. Then:\n   ```\n   ls\n   ```\n- and\n  - ~~~sh\n    rm\n    ~~~"
)


async def test_a_block_of_markdown_that_holds_a_block_is_one(tmp_path):
    inside = "# Tea\n\n```python\nbrew()\n```\n\nand drink."
    ((text, entities),) = await on_telegram(tmp_path / "t", README)
    assert text == f"Save this:\n\n{inside}\n\nDone." and entities == [("pre", inside)]
    (shown,) = await on_discord(tmp_path / "d", README)
    # three of these marks in a row would end the block
    assert shown.replace("\u2060", "") == f"Save this:\n\n```markdown\n{inside}\n```\n\nDone."
    assert shown.count("```") == 2


async def test_code_in_a_list_is_a_block_with_its_language_and_without_the_indentation(tmp_path):
    ((text, entities),) = await on_telegram(tmp_path / "t", STEPS)
    assert entities == [("pre", "if tea:\n    drink()"), ("pre", "ls"), ("pre", "rm")]
    assert text == "1. First:\n\nif tea:\n    drink()\n\n2. Then:\nls\n- and\n  -\nrm"
    (shown,) = await on_discord(tmp_path / "d", STEPS)
    assert "\n\n```python\nif tea:\n    drink()\n```\n\n2. Then:\n```\nls\n```\n" in shown
    assert shown.endswith("- and\n  -\n```sh\nrm\n```")


# links and names

LINKS = (
    "See https://x.org/__init__ and (https://y.org/a_b_c?d=*e*), **https://z.org/_f_**, __init__ and snake_case_name."
)


async def test_a_bare_link_is_left_alone(tmp_path):
    ((text, entities),) = await on_telegram(tmp_path / "t", LINKS)
    assert text == LINKS.replace("**", "")
    links = [shown for kind, shown in entities if kind == "url"]
    assert links[:2] == ["https://x.org/__init__", "https://y.org/a_b_c?d=*e*"]
    assert ("bold", "https://z.org/_f_") in entities
    (shown,) = await on_discord(tmp_path / "d", LINKS)
    assert shown == LINKS.replace(" __init__ ", r" \_\_init\_\_ ")


async def test_a_link_that_is_called_like_code_can_be_followed(tmp_path):
    """Telegram keeps one of both, which would be the code."""
    text = "Read [`brew()`](https://x.org/brew) and [README.md](https://x.org/read)."
    ((shown, entities),) = await on_telegram(tmp_path / "t", text)
    assert shown == "Read brew() and README.md."
    assert entities == [("text_link", "brew()"), ("text_link", "README.md")]
    assert await on_discord(tmp_path / "d", text) == [text]


# cuts

KINDS = [("**", "bold"), ("*", "italic"), ("~~", "strikethrough"), ("||", "spoiler"), ("***", "bold")]


@pytest.mark.parametrize(("mark", "kind"), KINDS)
async def test_a_mark_that_reaches_over_a_cut_is_closed_and_opened_again(tmp_path, mark, kind):
    words = " ".join(f"word{n}" for n in range(580))
    answers = await on_discord(tmp_path / "d", f"So: {mark}{words}{mark}.")
    assert len(answers) > 2
    for before, after in pairwise(answers):
        assert before.endswith(mark) and after.startswith(mark)
    assert all(answer.count(mark) == 2 for answer in answers) and all(
        utf16_length(answer) <= 2000 for answer in answers
    )
    assert re.findall(r"word\d+", " ".join(answers)) == words.split()
    parts = await on_telegram(tmp_path / "t", f"So: {mark}{words}{mark}.")
    assert len(parts) == 2 and mark not in "".join(text for text, _ in parts)
    assert [next(one for one, _ in entities) for _, entities in parts] == [kind, kind]


async def test_a_quote_that_reaches_over_a_cut_goes_on_as_a_quote(tmp_path):
    quote = "\n".join(f"> **line {n}** and what belongs to it" for n in range(90)) + "\n> " + "and so on " * 300
    answers = await on_discord(tmp_path / "d", f"{quote}\n\nThat was it.")
    lines = [line for answer in answers for line in answer.split("\n") if line]
    assert len(answers) > 2 and all(line.startswith("> ") for line in lines[:-1]) and lines[-1] == "That was it."
    parts = await on_telegram(tmp_path / "t", f"{quote}\n\nThat was it.")
    assert all(entities[0][0] == "blockquote" for _, entities in parts)


async def test_code_in_a_quote_is_whole_in_every_part(tmp_path):
    code = "\n".join(f"> pour({n})  # and then drink it all" for n in range(120))
    answers = await on_discord(tmp_path / "d", f"> He wrote:\n> ```py\n{code}\n> ```")
    assert len(answers) > 2 and all(answer.count("> ```") == 2 for answer in answers[1:])
    assert [int(n) for n in re.findall(r"pour\((\d+)\)", "".join(answers))] == list(range(120))


# numbers

ALL_ONES = "\n".join(f"1. **Step {n}** is a long one: {'and so on ' * 12}" for n in range(1, 31))
NESTED = "\n".join(
    f"{n}. Part {n}\n" + "\n".join(f"   {m}. {'and so on ' * 12}" for m in range(1, 5)) for n in range(1, 9)
)


async def test_a_list_of_ones_is_counted_over_every_cut(tmp_path):
    answers = await on_discord(tmp_path / "d", ALL_ONES)
    assert len(answers) > 1
    assert re.findall(r"^(\d+)\. \*\*Step (\d+)", "\n".join(answers), re.MULTILINE) == [
        (str(n), str(n)) for n in range(1, 31)
    ]
    parts = await on_telegram(tmp_path / "t", ALL_ONES)
    assert re.findall(r"^(\d+)\. Step (\d+)", "\n".join(text for text, _ in parts), re.MULTILINE) == [
        (str(n), str(n)) for n in range(1, 31)
    ]


async def test_a_list_in_a_list_keeps_its_numbers_over_every_cut(tmp_path):
    numbers = re.findall(r"^ *(\d+)", NESTED, re.MULTILINE)
    answers = await on_discord(tmp_path / "d", NESTED)
    assert len(answers) > 1 and re.findall(r"^ *(\d+)", "\n".join(answers), re.MULTILINE) == numbers
    parts = await on_telegram(tmp_path / "t", NESTED)
    assert len(parts) > 1
    assert re.findall(r"^ *(\d+)", "\n".join(text for text, _ in parts), re.MULTILINE) == numbers


async def test_two_lists_with_a_title_between_each_begin_at_one(tmp_path):
    text = "#### First\n1. Pour.\n#### Second\n1. Drink.\n2. Wash up."
    (shown,) = await on_discord(tmp_path / "d", text)
    assert shown == "**First**\n1. Pour.\n\n**Second**\n1. Drink.\n2. Wash up."
    ((shown, _),) = await on_telegram(tmp_path / "t", text)
    assert shown == "First\n1. Pour.\n\nSecond\n1. Drink.\n2. Wash up."


async def test_numbers_beside_bullets_stay_numbers_on_discord(tmp_path):
    """Its app makes one list of both, and what stands first says what all of them are."""
    (shown,) = await on_discord(tmp_path / "d", "1. Pour:\n- tea\n- milk\n2. Drink.")
    assert shown == "1\\. Pour:\n- tea\n- milk\n2\\. Drink."
    (shown,) = await on_discord(tmp_path / "e", "1. Pour.\nThen wait.\n3. Drink.")
    assert shown == "1. Pour.\nThen wait.\n3. Drink."


# an answer in the making


async def test_nothing_half_is_seen_while_an_answer_is_written(tmp_path):
    answer = (
        f"So it is **very** good.\n\n{PEOPLE}\n\nAnd \\( x_1 + x_2 \\) of [the page](https://example.org/a_page) too."
    )
    async with a_discord_bot(tmp_path / "data", model=ScriptedProvider(), streaming=True) as bot:
        bot.providers["scripted"].script = [lambda _: Writes(bot.clock, answer, 0.4)]
        (said,) = await bot.hears(bot.ann, f"{bot.at} tell me")
    assert len(said.versions) > 3
    for version in said.versions:
        assert version.count("**") % 2 == 0 and "|" not in version and version.count("`") % 2 == 0, version
        assert "\\(" not in version.replace("`\\(", "") and "](" not in re.sub(r"\]\(\S+\)", "", version), version


# what is no mark, and what has none everywhere

PLAIN = r"2*3*4 is 24, \*so\* it is; snake_case_ is a name, and <u>this</u> is what counts."


async def test_what_was_meant_as_text_is_read_as_text_and_what_is_underlined_is_underlined(tmp_path):
    (shown,) = await on_discord(tmp_path / "d", PLAIN)
    words = "2*3*4 is 24, *so* it is; snake_case_ is a name, and this is what counts."
    assert drawn(shown) == (words, (("underline", "this"),))
    assert await on_telegram(tmp_path / "t", PLAIN) == [(words, [("underline", "this")])]
