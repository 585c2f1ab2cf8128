from __future__ import annotations

import pytest

from bot.replay.said_words import says


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Treffen am FREITAG", "freitag"),
        ("am Donnerstag", "Thursday"),
        ("à 21h00 précises", "precises"),
        ("at 2 pm", "14:00"),
        ("at 2:00 p.m.", "14:00"),
        ("um 14 Uhr", "14:00"),
        ("at 14 h", "14:00"),
        ("It starts at 14.00", "14:00"),
        ("4.30 am", "04:30"),
        ("at four thirty", "04:30"),
        ("seventeen twenty", "17:20"),
        ("table twenty-seven", "27"),
        ("table 27.", "twenty seven"),
        ("costs fourteen crowns", "14"),
        ("costs 14 crowns", "fourteen"),
        ("the ninth", "9th"),
        ("9 May", "9th"),
        ("half past eight", "eight"),
        ("1204 gold", "1,204"),
        ("03.03.2026", "3 March"),
        ("Wolfgang's bowl", "Wolfgang"),
        ("am Ende des Freitags", "freitag"),
        ("**Kitti**wake", "Kittiwake"),
        ("pome\u00adgranate", "pomegranate"),
        ("It’s Ann’s.", "Ann's"),
        ("at the old mill", "in the old mill."),
        ("我们星期四见面", "星期四"),
    ],
)
def test_it_says_so_however_it_writes_it(text: str, words: str) -> None:
    assert says(text, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("thursday", "friday"),
        ("We sit at table 127", "27"),
        ("costs 140 crowns", "14"),
        ("costs 1,400", "14"),
        ("at 14:30", "14"),
        ("in 2011, on track 110", "11"),
        ("on the 19th", "9th"),
        ("16:30", "04:30"),
        ("v1.10", "1.1"),
        ("What a weight", "eight"),
        ("eighty", "eight"),
        ("the chambers", "Amber"),
        ("a party", "art"),
        ("I know of a raid", "no raid"),
        ("", "friday"),
        ("friday", "..."),
    ],
)
def test_what_only_looks_like_it_is_not_said(text: str, words: str) -> None:
    assert not says(text, words)
