"""A configuration that somebody else could change, or a secret that they could read, is refused with the fix."""

from __future__ import annotations

import os
import socket

import pytest

from bot.config.file_privacy import MAX_FILE_BYTES, exposure, open_to_others, planted_files, read_text
from bot.config.load import load_config
from bot.errors import ConfigError

CONFIG = '[platforms.telegram]\ntoken = "env:TOKEN"\n'


@pytest.fixture
def home(tmp_path):
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "config.toml").chmod(0o600)
    tmp_path.chmod(0o700)
    return tmp_path


def refused(home, **environ) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(home / "config.toml", {"TOKEN": "1:x", **environ})
    return str(caught.value)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666, 0o664, 0o646])
def test_a_configuration_that_others_can_change_stops_the_start(home, mode):
    (home / "config.toml").chmod(mode)
    assert f"chmod go-w {home}/config.toml" in refused(home) and f"{mode:04o}" in refused(home)


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o644, 0o640, 0o444])
def test_one_that_others_can_only_read_holds_no_secret_and_is_taken(home, mode):
    (home / "config.toml").chmod(mode)
    load_config(home / "config.toml", {"TOKEN": "1:x"})


def test_a_folder_in_which_anybody_can_put_another_file_stops_the_start(home):
    (home / "deep").mkdir()
    (home / "deep" / "config.toml").write_text(CONFIG)
    (home / "deep" / "config.toml").chmod(0o600)
    home.chmod(0o777)
    assert f"chmod go-w {home}." in refused(home / "deep")
    home.chmod(0o1777)
    load_config(home / "deep" / "config.toml", {"TOKEN": "1:x"})


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o622])
@pytest.mark.parametrize("scheme", ["file", "cred", "link"])
def test_a_secret_that_others_can_use_is_not_used(home, mode, scheme):
    (home / "tok").write_text("1:abcdefghijklmnopqrstuvwxyz0123456789")
    (home / "tok").chmod(mode)
    (home / "there").symlink_to(home / "tok")
    name = {"file": "file:tok", "cred": "cred:tok", "link": "file:there"}[scheme]
    (home / "config.toml").write_text(CONFIG.replace("env:TOKEN", name))
    found = refused(home, CREDENTIALS_DIRECTORY=str(home))
    assert "platforms.telegram.token" in found and "chmod 600" in found and f"{mode:04o}" in found


def odd(home, kind):
    path = home / "odd"
    if kind == "pipe":
        os.mkfifo(path, 0o600)
    elif kind == "folder":
        path.mkdir(mode=0o700)
    elif kind == "socket":
        server = socket.socket(socket.AF_UNIX)
        server.bind(os.path.relpath(path))
        server.close()
        path.chmod(0o600)
    elif kind == "device":
        return "/dev/zero"
    elif kind == "large":
        path.write_bytes(b"#" * (MAX_FILE_BYTES + 1))
        path.chmod(0o600)
    else:
        path.write_bytes(b"\xff\xfe\x00")
        path.chmod(0o600)
    return str(path)


KINDS = {"pipe": "a pipe", "folder": "a folder", "device": "a device", "large": "larger than", "bytes": "not UTF-8"}


@pytest.mark.parametrize(("kind", "words"), KINDS.items())
def test_what_is_no_text_file_gets_a_line_and_nothing_waits(home, kind, words):
    """As the configuration, as its `.env`, and as what a reference names; each is opened without waiting."""
    path = odd(home, kind)
    with pytest.raises(ConfigError, match=words):
        load_config(type(home)(path), {})
    (home / "config.toml").write_text(CONFIG.replace("env:TOKEN", f"file:{path}"))
    assert words in refused(home)
    (home / "config.toml").write_text(CONFIG)
    (home / ".env").symlink_to(path)
    assert words in refused(home)


def test_a_socket_cannot_even_be_opened(home, monkeypatch):
    monkeypatch.chdir(home)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(type(home)(odd(home, "socket")), {})


@pytest.mark.parametrize(
    "text", ["a." * 5_000 + "b = 1", "x = " + "[" * 10_000 + "]" * 10_000, "x = " + "{a=" * 900 + "1" + "}" * 900,
             "[" + "a." * 5000 + "b]", "[model]\nrounds = " + "9" * 100_000,
     "[bot]\nname = \"\x00\"", "x = \"" + "y" * 900_000],
)  # fmt: skip
def test_a_bomb_is_one_line_that_names_the_file(home, text):
    (home / "config.toml").write_text(text)
    found = refused(home)
    assert "config.toml" in found and "Traceback" not in found and len(found) < 600


@pytest.mark.parametrize("table", ["", "[nobody.x{n}]\n", "[platforms.p{n}]\n"])
def test_thousands_of_mistakes_are_a_screen_of_lines(home, table):
    """They go to a terminal, to the log, and to the owners."""
    (home / "config.toml").write_text("".join(f"{table.format(n=n)}wrong_{n} = {n}\n" for n in range(5000)))
    (home / ".env").write_text("nothing\n" * 5000)
    (home / ".env").chmod(0o600)
    lines = refused(home).splitlines()
    assert len(lines) < 60 and f"{home}/.env: and 4,990 more lines that are not NAME=VALUE." in "\n".join(lines)
    assert table or "more problems. Correct these first" in lines[-1]


def test_a_mark_at_the_beginning_of_the_file_is_passed_over(home):
    (home / "config.toml").write_bytes(b"\xef\xbb\xbf" + CONFIG.encode())
    load_config(home / "config.toml", {"TOKEN": "1:x"})


def test_what_is_fine_has_no_words(home):
    assert exposure(home / "config.toml", is_secret=True) == "" and read_text(home / "config.toml") == CONFIG


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
SOMEBODY = 54321


@as_root
@pytest.mark.parametrize("name", [".", "secret.key", "glassmind.db", "lock", "backups", "backups/daily-1.db"])
def test_what_somebody_else_put_into_our_folder_is_named_with_the_fix(home, name):
    (home / "backups").mkdir()
    for one in ("secret.key", "glassmind.db", "lock", "backups/daily-1.db"):
        (home / one).write_text("")
    assert planted_files(home, os.geteuid()) == ""
    os.chown(home / name, SOMEBODY, SOMEBODY)
    found = planted_files(home, os.geteuid())
    assert str(home / name) in found and "user 54321" in found and "chown root" in found


@as_root
def test_what_is_not_ours_to_judge_is_left_alone(home):
    for name in ("workspaces", "skills"):
        (home / name).mkdir()
        os.chown(home / name, SOMEBODY, SOMEBODY)
    assert planted_files(home, os.geteuid()) == ""


def test_a_folder_that_somebody_can_exchange_is_refused_before_it_is_made(home):
    (home / "open").mkdir()
    (home / "open").chmod(0o777)
    for place in (home / "open" / "data", home / "open" / "deep" / "data"):
        assert f"chmod go-w {home}/open" in planted_files(place, os.geteuid())
    (home / "open").chmod(0o1777)
    assert planted_files(home / "open" / "data", os.geteuid()) == ""


def test_a_folder_that_was_only_open_is_closed_and_that_is_said(home):
    """Its owner's files stay its owner's; but a key that others could read until now is worth knowing of."""
    (home / "secret.key").write_bytes(b"k")
    (home / "secret.key").chmod(0o644)
    home.chmod(0o777)
    assert planted_files(home, os.geteuid()) == ""
    assert open_to_others(home) == (f"{home} (0777)", f"{home}/secret.key (0644)")
    home.chmod(0o700)
    assert open_to_others(home) == () == open_to_others(home / "none")
