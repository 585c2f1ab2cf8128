"""Stand in for a program that is forked elsewhere: it has our files and gets our signals, and we leave as it does.

Run by its path, without anything that a start of Python loads beside: `python -I -S stand_in.py SOCKET ASKED`.
"""

import os
import signal
import socket
import sys


def main(path: str, asked: str) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        socket.send_fds(line, [asked.encode()], [0, 1, 2])
        with line.makefile("r") as said:
            child = int(said.readline())
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, lambda number, _: os.kill(child, number))
            status = int(said.readline() or -1)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
