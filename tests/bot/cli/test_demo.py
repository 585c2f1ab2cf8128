"""The worked example: silence, the rules' finding, the branch's finding, the fix, the answer, the undo."""

from bot.cli.demo import run_demo


def test_the_demo_does_what_it_says(capsys):
    assert run_demo() == 0
    out = capsys.readouterr().out
    assert "THE MODEL IS A SIMULATION" in out
    assert "NOT SEEN" not in out
    assert "decision" in out and "0.90" in out  # the memory's type and importance
    assert "James instructed Glassmind to stop responding to him" in out
