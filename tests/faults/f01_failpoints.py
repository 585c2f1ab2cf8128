"""F1: killed at any named place of any everyday thing: nothing lost, nothing twice, every effect once.

The kill is a fall inside of this process: at that place everything that runs is dropped, and nothing is finished.
Processes that are really killed are those of F2, F3 and F4.
"""

from __future__ import annotations

from tests.faults.failpoints.cases import cases, play
from tests.faults.family import Family

FAMILY = Family("F1", "a kill at named places of everyday things", cases, play, seconds=90)
