"""Run a bot of any tree under a profile of its loop's thread, in CPU time: `python .../_profiled.py PROFILE CONFIG`.

It runs what stands in the working directory, so that an older tree can be looked at with it as well.
"""

from __future__ import annotations

import cProfile
import runpy
import sys
import time

if __name__ == "__main__":
    profile, config = sys.argv[1:3]
    # a script's own directory stands first; it is not where the tree is
    sys.path[0] = ""
    sys.argv = ["_telegram_bot", config]
    taken = cProfile.Profile(time.thread_time)
    taken.enable()
    try:
        runpy.run_module("tests.bench._telegram_bot", run_name="__main__")
    finally:
        taken.disable()
        taken.dump_stats(profile)
