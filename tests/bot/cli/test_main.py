"""From the command line: a clear line and a telling exit status, whatever is wrong."""

import io
import os
import shutil
import sqlite3
import sys
import time
from contextlib import closing

import orjson
import pytest

from adapters.sqlite.engine.directory import prepare
from adapters.sqlite.engine.lock import DirectoryLock
from bot.cli.main import run
from bot.cli.tables import write_table
from bot.domain.handles import HandleKind, handle

CONFIG = '[platforms.console]\nowner_ids = [1]\nnames = ["glassmind"]\npeople = { admin = 1, ann = 7 }\n'


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A directory with a configuration, as the current one."""
    (tmp_path / "config.toml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GLASSMIND_CONFIG", raising=False)
    before = os.umask(0o022)
    yield tmp_path
    os.umask(before)


def typed(monkeypatch, *lines):
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_people_talk_on_standard_input_and_the_host_sees_it_afterwards(home, monkeypatch, capsys):
    typed(
        monkeypatch,
        "[#general] ann> @glassmind say good morning",
        "[#general] ann> lovely day",
        "[#general] admin> !why",
    )
    assert run(["run"]) == 0
    out = capsys.readouterr().out
    assert "[#general] glassmind< good morning" in out
    assert "not addressed" in out and "[dm admin" in out
    assert run(["ledger", "#general"]) == 0
    assert "answered" in capsys.readouterr().out
    assert run(["memory", "list", "#general"]) == 0
    assert capsys.readouterr().out == "#general: nothing remembered\n"
    assert run(["why", "#general"]) == 1  # the process is dead, and that is the first cause
    assert "The bot is not running" in capsys.readouterr().out
    assert run(["why", "--all"]) == 1
    assert "the bot is not running · no channel is answered" in capsys.readouterr().out
    assert run(["status", "--json"]) == 1
    assert '"running": false' in capsys.readouterr().out
    assert run(["context", "#general"]) == 0
    assert "identity" in capsys.readouterr().out
    assert run(["export", "#general"]) == 0
    exported = home / capsys.readouterr().out.strip()
    assert exported.stat().st_mode & 0o777 == 0o600
    assert run(["doctor"]) == 1
    assert "! process: not running: every platform has ended" in capsys.readouterr().out


def test_every_file_is_for_the_owner_alone(home, monkeypatch):
    typed(monkeypatch, "[#general] ann> @glassmind hello")
    assert run(["run"]) == 0
    for path in [home / "data", *(home / "data").rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_wrong_configuration_names_every_key(home, capsys):
    (home / "config.toml").write_text('[platforms.console]\nowner_ids = ["admin"]\n[bot]\nnmae = "x"\n')
    assert run(["run"]) == 2
    err = capsys.readouterr().err
    assert "platforms.console.owner_ids.0" in err and "bot.nmae" in err and "Traceback" not in err


def test_an_adapters_own_keys_are_checked_too(home, capsys):
    (home / "config.toml").write_text('[platforms.console]\nbot_nmae = "x"\n[providers.openai]\nkind = "openia"\n')
    assert run(["run"]) == 2
    err = capsys.readouterr().err
    assert "platforms.console.bot_nmae: unknown key. Did you mean `bot_name`?" in err
    assert "providers.openai.kind: there is no adapter 'openia'" in err


def test_a_missing_key_of_a_provider_is_named_before_anything_starts(home, capsys, monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    (home / "config.toml").write_text('[providers.openai]\nkind = "openai"\napi_key = "env:NO_SUCH_KEY"\n')
    assert run(["run"]) == 2
    assert "providers.openai.api_key: env:NO_SUCH_KEY cannot be resolved" in capsys.readouterr().err


def test_no_configuration_says_what_to_copy(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GLASSMIND_CONFIG", raising=False)
    assert run(["run"]) == 2
    assert "Run `glassmind init`, or copy config.example.toml" in capsys.readouterr().err


def test_nothing_can_be_taken_over_where_no_platform_has_webhooks(home, capsys):
    assert run(["run", "--take-over"]) == 2
    assert "--take-over: no platform here" in capsys.readouterr().err


def test_a_second_instance_is_refused(home, capsys):
    prepare(home / "data")
    first = DirectoryLock(home / "data")
    try:
        assert run(["run"]) == 2
    finally:
        first.release()
    assert str(os.getpid()) in capsys.readouterr().err


class BreaksTheStore(io.StringIO):
    """Somebody who damages the database before they type."""

    def __iter__(self):
        with sqlite3.connect("data/glassmind.db", isolation_level=None) as other:
            other.execute("DROP TABLE outbox")
        other.close()
        yield "[#general] ann> @glassmind hello\n"
        while True:  # nobody presses Ctrl-D either
            yield "\n"
            time.sleep(0.01)


def test_a_store_that_fails_ends_the_run_with_one_line(home, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", BreaksTheStore())
    assert run(["run"]) == 1  # it may be started again
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("Stopped. The database was altered by another program: no such table: outbox.")
    assert last.endswith("It is not used again. Restore a copy: `glassmind restore` lists them.")
    # and the next start says the same: it does not go on from there
    assert run(["run"]) == 2
    assert "tables are not as they were made" in capsys.readouterr().err


def test_a_newer_schema_is_refused_and_left_alone(home, monkeypatch, capsys):
    typed(monkeypatch)
    assert run(["run"]) == 0
    database = home / "data" / "glassmind.db"
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()
    before = database.read_bytes()
    assert run(["run"]) == 2
    assert "99" in capsys.readouterr().err and database.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(home, capsys):
    (home / "data").mkdir(mode=0o700)
    database = home / "data" / "glassmind.db"
    database.write_bytes(b"this is not a database" * 100)
    assert run(["run"]) == 2
    assert "glassmind.db" in capsys.readouterr().err and database.read_bytes().startswith(b"this is not")


def test_a_terminal_that_lacks_a_character_shows_its_number(home, monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "ascii", write_through=True))
    assert run(["doctor"]) in {0, 1}
    assert b"\\u" in raw.getvalue()


def test_looking_at_nothing_says_so(home, capsys):
    assert run(["why"]) == 2
    assert "There is no store" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["--help"], ["--version"], ["why", "--help"], ["no-such-command"]])
def test_help_is_there(command, capsys):
    with pytest.raises(SystemExit) as left:
        run(command)
    assert left.value.code == (2 if command == ["no-such-command"] else 0)


def test_a_handle_or_a_link_names_a_message_and_its_request(home, monkeypatch, capsys):
    typed(monkeypatch, "[#general] ann> @glassmind say one", "[#general] ann> @glassmind say two")
    assert run(["run"]) == 0
    capsys.readouterr()
    assert run(["ledger", "#general"]) == 0
    name = capsys.readouterr().out.splitlines()[-1].split()[-1]
    assert run(["ledger", name]) == 0
    trail = capsys.readouterr().out
    assert name in trail and "@glassmind say one" in trail and "say two" not in trail
    assert run(["why", name, "--json"]) == 1
    capsys.readouterr()
    assert run(["context", name]) == 0
    assert "· sent\n" in capsys.readouterr().out
    assert run(["export", name]) == 0
    assert run(["context", "m27d4"]) == 2
    assert "m27d4 is a memory" in capsys.readouterr().err
    assert run(["why", "https://discord.com/channels/1/2/3"]) == 2
    assert "Known: #general (console:#general)" in capsys.readouterr().err


def test_a_recorded_request_is_shown_and_exported_by_its_handle(home, monkeypatch, capsys):
    typed(monkeypatch, "[#general] ann> @glassmind say one", "[#general] ann> @glassmind say two")
    assert run(["run"]) == 0
    capsys.readouterr()
    with sqlite3.connect(home / "data" / "glassmind.db") as store:
        (row,) = store.execute("SELECT id FROM request ORDER BY id LIMIT 1").fetchone()
    name = handle(HandleKind.REQUEST, row)
    assert run(["context", "#general", "--sent", name]) == 0
    assert "· sent\n" in capsys.readouterr().out
    assert run(["export", "#general", "--sent", name]) == 0
    document = orjson.loads((home / capsys.readouterr().out.strip()).read_bytes())
    assert (document["kind"], document["request"]["messages"][-1]["role"]) == ("sent", "user")
    assert run(["export", "#general", "--sent", "m27d4"]) == 2
    assert "m27d4" in capsys.readouterr().err


def test_the_view_as_json_and_as_a_picture(home, monkeypatch, capsys):
    typed(monkeypatch, "[#general] ann> @glassmind say one", "[#general] ann> @glassmind say two")
    assert run(["run"]) == 0
    capsys.readouterr()
    assert run(["context", "#general", "--json"]) == 0
    values = orjson.loads(capsys.readouterr().out)
    assert [size["turn"] for size in values["growth"]] == sorted(size["turn"] for size in values["growth"]) != []
    assert values["forecast"]["configured"] and values["level"] == "normal"
    assert run(["export", "#general"]) == 0
    document = orjson.loads((home / capsys.readouterr().out.strip()).read_bytes())
    assert values["token_summary"] == document["token_summary"] and document["model"] == values["model"]
    assert run(["context", "#general", "--png", "shot.png", "--style", "light"]) == 0
    assert capsys.readouterr().out.endswith("\nshot.png\n")
    assert (home / "shot.png").read_bytes().startswith(b"\x89PNG") and (home / "shot.png").stat().st_mode & 0o77 == 0
    (home / "taken").write_text("mine")
    assert run(["context", "#general", "--png", "taken/shot.png"]) == 2
    assert "I cannot write taken/shot.png: File exists. Name a file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "why", "ledger", "context", "export"])
def test_the_help_says_what_can_be_named(command, capsys, monkeypatch, snapshot):
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        run([command, "--help"] if command else ["--help"])
    assert capsys.readouterr().out == snapshot


def test_why_looks_back_as_far_as_it_is_told(home, monkeypatch, capsys):
    (home / "config.toml").write_text(CONFIG + "allowed_users = []\n")
    typed(monkeypatch, "[#general] ann> @glassmind hello")
    assert run(["run"]) == 0
    assert run(["why", "--all", "--since", "2h"]) == 1
    assert "#general" in capsys.readouterr().out
    with pytest.raises(SystemExit) as left:
        run(["why", "--since", "yesterday"])
    assert left.value.code == 2 and "30m, 2h or 1d" in capsys.readouterr().err


def test_a_copy_is_listed_and_put_back(home, monkeypatch, capsys):
    assert run(["restore"]) == 1
    assert "There is no copy" in capsys.readouterr().out
    typed(monkeypatch, "[#general] ann> @glassmind say good morning")
    assert run(["run"]) == 0
    data, name = home / "data", "daily-20251009T085320Z.db"
    (data / "backups").mkdir(mode=0o700)
    shutil.copyfile(data / "glassmind.db", data / "backups" / name)
    typed(monkeypatch, "[#general] ann> @glassmind say good night")
    assert run(["run"]) == 0
    capsys.readouterr()
    assert run(["restore"]) == 0
    assert f"{name} · " in (out := capsys.readouterr().out) and "✓ verified" in out
    lock = DirectoryLock(data)
    assert run(["restore", name]) == 2
    lock.release()
    assert f"in use by process {os.getpid()}. Stop it first." in capsys.readouterr().err
    assert run(["restore", name]) == 0
    out = capsys.readouterr().out
    assert "It holds 1 message, " in out and "Lost: 1 message that arrived later" in out and "replaced-" in out
    assert run(["ledger", "#general", "--json"]) == 0
    assert len(orjson.loads(capsys.readouterr().out)) == 1
    assert run(["restore", "--json"]) == 0
    assert [copy["damage"] for copy in orjson.loads(capsys.readouterr().out)] == ["", ""]
    assert run(["restore", "no-such.db"]) == 2
    assert name in capsys.readouterr().err
    (data / "backups" / name).write_bytes(b"spoilt")
    assert run(["restore"]) == 1
    assert "✗ file is not a database" in capsys.readouterr().out
    assert run(["restore", name]) == 2
    assert "nothing was changed" in capsys.readouterr().err


def test_everything_that_is_wrong_is_said_at_one_start(home, capsys, monkeypatch):
    """Keys of the program, keys of adapters and a missing token, each with the kind of value and never the value."""
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    secret = "sk-verysecretkey1234567"
    (home / "config.toml").write_text(
        f"""
        [platforms.console]
        owner_ids = ["{secret}"]
        nonsense = 3
        allow_dms = "perhaps"
        [platforms.telegram]
        owner_ids = [5]
        [conversatoin]
        [limits]
        user_per_minute = "{secret}"
        [providers.openai]
        kind = "openai"
        base_url = 3
        api_key = "env:NO_SUCH_KEY"
        [providers.other]
        kind = ["{secret}"]
        """
    )
    assert run(["run"]) == 2
    err = capsys.readouterr().err
    lines = dict(line.strip().split(": ", 1) for line in err.splitlines()[1:])
    assert "must be a numeric id" in (owner := lines["platforms.console.owner_ids.0"]) and "Found: a text." in owner
    assert lines["platforms.console.allow_dms"].startswith("must be true or false. Found: a text.")
    assert lines["platforms.console.nonsense"].startswith("unknown key")
    assert lines["platforms.telegram.token"].startswith("missing")
    assert lines["conversatoin"] == "unknown key. Did you mean `conversation`?"
    assert lines["limits.user_per_minute"].startswith("must be a whole number. Found: a text.")
    assert lines["providers.openai.base_url"].startswith("must be a text in quotes. Found: a whole number.")
    assert lines["providers.openai.api_key"].startswith("env:NO_SUCH_KEY cannot be resolved")
    assert lines["providers.other.kind"].startswith("must be a text in quotes. Found: a list.")
    assert len(lines) == len(err.splitlines()) - 1 == 9
    assert secret not in err and "Traceback" not in err


def test_a_german_terminal_is_told_in_german_why_the_database_cannot_be_used(home, monkeypatch, capsys):
    """Also what a thread of the database finds out, of an open file and of one that a newer program made."""
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    data = home / "data"

    def refused(*arguments: str) -> str:
        assert run(arguments) == 2
        return capsys.readouterr().err

    assert "In data ist keine Datenbank: glassmind.db fehlt." in refused("verify")
    typed(monkeypatch, "[#general] ann> @glassmind say good morning")
    assert run(["run"]) == 0
    capsys.readouterr()
    lock = DirectoryLock(data)
    assert f"benutzt schon Prozess {os.getpid()}. Beende ihn zuerst." in refused("run")
    lock.release()
    assert "Eine Kopie no-such.db gibt es nicht. data/backups enthält keine." in refused("restore", "no-such.db")
    with closing(sqlite3.connect(data / "glassmind.db")) as database:
        database.execute("PRAGMA user_version = 4000")
    assert "Die Datenbank hat Schema 4000, dieses Programm kennt" in refused("status")
    (data / "glassmind.db").write_bytes(b"spoilt" * 100)
    assert "Die Datenbank ist beschädigt" in (said := refused("status"))
    assert "Hol eine Kopie zurück: `glassmind restore` listet sie auf." in said


def test_without_the_library_for_tables_there_are_plain_lines(home, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "rich.table", None)
    write_table(["Key", "Value"], [["model.name", "simulated/echo"], ["a", "\x1b[2J"]])
    out, err = capsys.readouterr()
    assert out.splitlines()[:2] == ["Key  Value", "model.name  simulated/echo"] and "\x1b" not in out
    assert "install the bot again" in err


def test_a_command_that_cannot_be_loaded_is_refused_with_a_line(home, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "bot.cli.diff", None)
    assert run(["diff", "r1111", "r2222"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("This command cannot be loaded: ") and "bot.cli.diff" in said
    assert "Traceback" not in said


def test_the_whole_record_is_checked_with_nothing_running(home, monkeypatch, capsys):
    assert run(["verify"]) == 2
    assert "There is no store in" in capsys.readouterr().err
    typed(monkeypatch, "[#general] admin> hello", "[#general] admin> /quiet")
    assert run(["run"]) == 0
    capsys.readouterr()
    assert run(["verify"]) == 0
    out = capsys.readouterr().out
    assert "✓ Nothing was changed or damaged." in out and "The versions end at row 2 · " in out
    assert run(["verify", "--json"]) == 0
    assert orjson.loads(capsys.readouterr().out)["damage"] == []
    with closing(sqlite3.connect(home / "data" / "glassmind.db")) as raw:
        raw.execute("UPDATE revision SET actor = '2' WHERE id = 2")
        raw.commit()
    assert run(["verify"]) == 1
    assert "✗ 1 thing was changed or damaged:\n  revision 2 (chain broken)" in capsys.readouterr().out
    (home / "data" / "secret.key").unlink()
    assert run(["verify"]) == 1
    assert "secret.key is missing" in capsys.readouterr().out


def test_memories_are_looked_through_on_the_host_in_the_words_of_the_chat(home, monkeypatch, capsys):
    remember = "[#general] ann> @glassmind remember as {} with importance 0.5: {}"
    typed(
        monkeypatch,
        remember.format("fact", "the tea stands in the cupboard"),
        remember.format("decision", "tea is at four"),
        "[dm] ann> remember as fact with importance 0.5: ann likes tea",
    )
    assert run(["run"]) == 0
    capsys.readouterr()
    assert run(["memory", "list", "#general", "type", "decision", "by", "ann"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("#general: 1 memory\nOnly: decision, by ann\n") and "tea is at four" in out
    assert run(["memory", "search", "cupboard tea", "newer", "1h", "--channel", "#general", "--json"]) == 0
    found = orjson.loads(capsys.readouterr().out)
    assert (found["total"], found["withheld"], len(found["memories"])) == (2, 0, 2)
    assert run(["memory", "by", "7", "--channel", "#general"]) == 0
    assert capsys.readouterr().out.startswith("#general: 2 memories")
    name = found["memories"][0]["handle"]
    assert run(["memory", "show", name]) == 0
    assert capsys.readouterr().out.rstrip().endswith(name)
    picture = home / "taught.png"
    assert run(["memory", "chart", "#general", "2d", "--png", str(picture)]) == 0
    out = capsys.readouterr().out
    # what was learnt in private stands in no channel
    assert out.startswith("#general: who taught it, 48 hours to ") and "2 remembered" in out and "taught.png" in out
    assert "\nann  " in out and picture.read_bytes().startswith(b"\x89PNG")
    assert run(["memory", "chart", "--channel", "#general", "--json"]) == 0
    taught = orjson.loads(capsys.readouterr().out)
    assert (taught["total"], [(one["name"], one["id"], one["saved"]) for one in taught["teachers"]]) == (
        2,
        [("ann", "7", 2)],
    )
    assert run(["memory", "chart", "everything there is"]) == 2
    capsys.readouterr()
    assert run(["memory", "show", "m9999"]) == 2
    assert "m9999 is not a memory here. `glassmind memory list` shows them." in capsys.readouterr().err
    assert run(["memory", "list", "everything", "there", "is"]) == 2
    assert "I don't understand everything there is. Enter for example" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("written", "english", "german"),
    [
        ("[conversation]\ndebounce = 31", "must be 30 or less", "darf höchstens 30 sein"),
        ("[limits]\nuser_per_minute = -1", "must be 0 or more", "muss mindestens 0 sein"),
        ('[bot]\nname = ""', "must have at least 1 character", "muss mindestens 1 Zeichen haben"),
        ('[bot]\nlog_level = "all"', "must be one of 'debug', 'info',", "muss eines davon sein: 'debug', 'info',"),
        (
            '[platforms.discord]\nrest_url = "x"',
            "must be an address like https://",
            "muss eine Adresse sein wie https://",
        ),
        (
            '[providers.openai]\nkind = "openai"\nbase_url = "ftp://x"',
            "must be an address like https://api.openai.com/v1",
            "muss eine Adresse sein wie https://api.openai.com/v1",
        ),
    ],
)
def test_what_a_value_must_be_is_said_in_the_terminals_language(home, monkeypatch, capsys, written, english, german):
    (home / "config.toml").write_text(written)
    said = []
    for locale in ("en_US.UTF-8", "de_AT.UTF-8"):
        monkeypatch.setenv("LC_ALL", locale)
        assert run(["config", "check"]) == 2
        said.append(capsys.readouterr().err)
    assert english in said[0] and "Input should" not in said[0]
    assert german in said[1] and "must" not in said[1]


@pytest.mark.parametrize(
    ("typed", "german"),
    [
        (["no-such"], "glassmind: Fehler: COMMAND: 'no-such' gibt es hier nicht; möglich sind "),
        ([], "glassmind: Fehler: es fehlt: COMMAND"),
        (["status", "--nonsense"], "Fehler: damit kann ich nichts anfangen: --nonsense"),
        (["status", "--config"], "Fehler: --config: dahinter fehlt ein Wert"),
        (["why", "--since", "soon"], "Fehler: --since: "),
        (["init", "--key-stdin", "--key-env", "A"], "--key-env: geht nicht zusammen mit --key-stdin"),
        (["init", "--token", "A"], "--token ist nicht eindeutig; möglich sind --token-env,"),
    ],
)
def test_a_german_terminal_is_told_in_german_what_is_wrong_with_a_command_line(monkeypatch, capsys, typed, german):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(SystemExit) as left:
        run(typed)
    err = capsys.readouterr().err
    assert left.value.code == 2
    assert german in err and err.startswith("Aufruf: glassmind ")


def test_help_is_german_at_a_german_terminal(monkeypatch, capsys):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(SystemExit):
        run(["why", "--help"])
    out = capsys.readouterr().out
    assert out.startswith("Aufruf: glassmind why [-h]") and "\nOptionen:\n" in out and "\nAngaben:\n" in out
    assert "diese Hilfe zeigen und enden" in out and "options" not in out
