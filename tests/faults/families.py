"""The families of faults, in the order in which they are played: a module each, and a line each."""

from __future__ import annotations

from importlib import import_module

from tests.faults.family import Family

MODULES = {
    "F1": "f01_failpoints",
    "F2": "f02_syscalls",
    "F3": "f03_recovery",
    "F4": "f04_soak",
    "F5": "f05_power_loss",
    "F6": "f06_disk_errors",
    "F7": "f07_bit_flips",
    "F8": "f08_discord",
    "F9": "f09_telegram",
    "F10": "f10_provider",
    "F11": "f11_proxy",
    "F12": "f12_storm",
    "F13": "f13_hostile_model",
    "F14": "f14_fuzz",
    "F15": "f15_load",
    "F16": "f16_floods",
    "F17": "f17_stops",
    "F18": "f18_surroundings",
    "R21": "r21_authorisation",
    "R22": "r22_confirmations",
    "R23": "r23_canaries",
    "R26": "r26_whose_process",
    "R27": "r27_erasure",
    "R28": "r28_strangers",
    "R29": "r29_names",
    "R30": "r30_clock",
    "R31": "r31_growth",
    "R32": "r32_lacking",
    "R33": "r33_memory_scope",
    "R34": "r34_web_page",
    "R35": "r35_many_processes",
}


def family(name: str) -> Family:
    """Load a family; raise KeyError with the names that there are."""
    if name not in MODULES:
        raise KeyError(f"there is no family {name!r}; there are: {', '.join(MODULES)}")
    found: Family = import_module(f"tests.faults.{MODULES[name]}").FAMILY
    return found
