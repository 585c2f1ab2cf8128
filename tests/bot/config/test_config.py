"""A configuration is checked whole, and every mistake is named at once, with its key and its fix."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.app.retention import retention_of
from bot.config import Config, parse_config
from bot.errors import ConfigError
from bot.text.redaction import Redactor
from tests.architecture.tree import ROOT
from tests.fakes.lengths import whole_or

EXAMPLE = (ROOT / "config.example.toml").read_text()
TOKEN = "sk-live-0123456789abcdef"  # a canary, not a key


def problems(text, environ=None):
    with pytest.raises(ConfigError) as caught:
        parse_config(text, environ or {})
    return caught.value.problems


def test_the_example_loads_and_is_the_default_where_it_says_so():
    loaded = parse_config(EXAMPLE, {"OPENAI_API_KEY": TOKEN})
    plain = parse_config("", {})
    for table in (
        "model",
        "conversation",
        "limits",
        "calls",
        "tools",
        "memory",
        "cortex",
        "retention",
        "alerts",
        "drift",
    ):
        assert getattr(loaded.config, table) == getattr(plain.config, table)


def test_the_example_shows_every_key():
    shown = tomllib.loads(EXAMPLE)
    commented = {line.split("=")[0].strip("# ").strip() for line in EXAMPLE.splitlines() if line.startswith("# ")}
    for name, field in Config.model_fields.items():
        table = shown.get(name, {})
        model = field.annotation
        if name == "tools":
            for group, inner in model.model_fields.items():
                if group != "mcp":
                    missing = set(inner.annotation.model_fields) - set(table[group]) - commented
                    assert not missing, f"[tools.{group}] lacks {missing}"
            continue
        if name in {"providers", "platforms", "channels", "agents", "plugins"}:
            model = field.annotation.__args__[1]
            table = {key: value for entry in table.values() for key, value in entry.items()}
        missing = set(model.model_fields) - set(table) - commented
        assert not missing, f"[{name}] lacks {missing}"


def test_every_mistake_is_named_at_once():
    found = problems(
        """
        [bot]
        nmae = "x"
        [model]
        name = "gpt-5"
        retries = "many"
        [platforms.console]
        admin_ids = ["root"]
        [cortex]
        rouns = 3
        """
    )
    text = "\n".join(found)
    assert "bot.nmae: unknown key. Did you mean `name`?" in text
    assert "model.retries:" in text
    assert "platforms.console.admin_ids.0: must be a numeric id" in text
    assert "cortex.rouns: unknown key. Did you mean `rounds`?" in text


def test_a_model_of_an_unknown_provider_is_refused_with_the_known_ones():
    (found,) = problems('[model]\nname = "openia/gpt-5"')
    assert found.startswith("model.name: no provider named 'openia'. Known: simulated.")


@pytest.mark.parametrize("user", [1087968824, 136817688, 777000])
def test_ids_that_stand_for_many_hold_no_authority(user):
    (found,) = problems(f"[platforms.telegram]\nowner_ids = [{user}]")
    assert "shares between many people" in found


def test_a_secret_is_resolved_remembered_and_never_shown():
    loaded = parse_config('[providers.openai]\nkind = "openai"\napi_key = "env:KEY"', {"KEY": TOKEN})
    assert loaded.config.providers["openai"].settings["api_key"] == TOKEN
    assert loaded.origins["providers.openai.api_key"] == "env:KEY"
    assert loaded.secrets == {"providers.openai.api_key": TOKEN}
    assert TOKEN not in repr(loaded.secrets.keys()) and TOKEN not in "".join(loaded.origins.values())


HOOK = "https://discord.com/api/webhooks/123456789012345678/aBcDeFgHiJkLmNoPqRsTuVwXyZ"


@pytest.mark.parametrize("written", [HOOK, "env:HOOK"])
def test_an_address_to_alert_is_a_secret_whole_and_in_its_path(written):
    loaded = parse_config(f'[alerts]\nwebhook = "{written}"\nheartbeat_url = "http://up.example/p"', {"HOOK": HOOK})
    assert loaded.config.alerts.webhook == HOOK
    redact = Redactor.of(loaded.secrets).redact
    for leak in (HOOK, "POST /api/webhooks/123456789012345678/aBcDeFgHiJkLmNoPqRsTuVwXyZ", "GET http://up.example/p"):
        assert "aBcDeF" not in redact(leak).text and "up.example" not in redact(leak).text
    assert HOOK not in repr(loaded.config)


@pytest.mark.parametrize(
    "written", ["hooks.example/x", "ftp://a/b", "https:///no", "http://a b/", "http://a:99999/", "ü://"]
)
def test_what_is_no_address_is_refused_without_being_shown(written):
    (found,) = problems(f'[alerts]\nwebhook = "{written}"')
    assert found.startswith("alerts.webhook: must be an address like https://example.org/hook; env:NAME keeps it")
    assert written not in found


@pytest.mark.parametrize("key", ["heartbeat_seconds", "deaf_after", "silence_after"])
def test_waiting_for_no_time_at_all_is_refused(key):
    assert problems(f"[alerts]\n{key} = 0")[0].startswith(f"alerts.{key}: must be")


def test_who_only_looks_follows_no_reference_to_an_address():
    loaded = parse_config('[alerts]\nwebhook = "env:HOOK"', None)
    assert (loaded.config.alerts.webhook, loaded.secrets) == ("env:HOOK", {})


def test_a_missing_variable_is_named_without_a_value():
    (found, *_) = problems('[providers.openai]\nkind = "openai"\napi_key = "env:NOPE"')
    assert found.startswith("providers.openai.api_key: env:NOPE cannot be resolved (the variable is not set)")


@pytest.mark.parametrize("key", ['"{}"', '"and-before-it-{}"', '[model]\n"{}"', '[channels."{}"]\nmood'])
def test_a_secret_where_a_key_should_stand_is_not_printed(key):
    found = problems(f"{key.format(TOKEN)} = 1")
    assert found and any("unknown key" in one for one in found) and TOKEN not in "\n".join(found)


@pytest.mark.parametrize("number", ["9" * 25, "-" + "9" * 25, "0x" + "f" * 9000, "9" * 5000])
def test_a_number_that_no_database_takes_is_a_problem_with_its_key(number):
    (found, *_) = problems(f"[limits]\nuser_per_minute = {number}")
    said = ("limits.user_per_minute: this number has too many digits", "config: not valid TOML")
    assert found.startswith(said), found


def test_lists_in_lists_without_end_are_no_toml():
    assert problems("a = " + "[" * 5000 + "]" * 5000)[0].startswith("config: not valid TOML")


def test_a_long_variable_is_named_whole():
    name = "GLASSMIND_PRODUCTION_2_OPENAI_API_KEY"
    (found, *_) = problems(f'[providers.openai]\nkind = "openai"\napi_key = "env:{name}"')
    assert f"env:{name} cannot be resolved" in found


def test_a_wrong_type_does_not_print_the_secret():
    text = "\n".join(problems(f'[platforms.telegram]\nadmin_ids = ["{TOKEN}"]'))
    assert TOKEN not in text


def test_secrets_come_from_files_and_systemd_credentials(tmp_path):
    (tmp_path / "key").write_text(TOKEN + "\n")
    (tmp_path / "key").chmod(0o400)
    text = '[providers.a]\nkind = "openai"\napi_key = "file:key"\n[providers.b]\nkind = "openai"\napi_key = "cred:key"'
    loaded = parse_config(text, {"CREDENTIALS_DIRECTORY": str(tmp_path)}, tmp_path / "config.toml")
    assert set(loaded.secrets.values()) == {TOKEN} and len(loaded.secrets) == 2


def test_copies_may_not_outlive_what_they_hold():
    (found,) = problems("[retention]\nambient_hours = 24\nbackups_hours = 72")
    assert found.startswith("retention.backups_hours: 72 is longer than ambient_hours (24 h)")
    assert "Write 24 or less, or 0" in found
    (found,) = problems("[retention]\nambient_hours = 0\nrequests_days = 0.5\nbackups_hours = 13")
    assert "requests_days (12 h)" in found
    assert "retention.backups_hours" in problems("[retention]\nbackups_hours = inf")[0]
    for fine in ("ambient_hours = 24\nbackups_hours = 24", "ambient_hours = 24\nbackups_hours = 0"):
        parse_config(f"[retention]\n{fine}", {})


@pytest.mark.parametrize(("text", "hours"), [("", 72), ("ambient_hours = 1", 1), ("ambient_hours = 0", 72)])
def test_copies_follow_the_shortest_time_where_nothing_else_is_said(text, hours):
    retention = retention_of(parse_config(f"[retention]\n{text}", {}).config)
    assert retention.copies_ms == hours * 3_600_000


@given(st.text(max_size=200))
@settings(max_examples=whole_or(300, 75), deadline=None)
def test_any_text_is_a_configuration_or_a_list_of_problems(text):
    try:
        parse_config(text, {})
    except ConfigError as error:
        assert error.problems
