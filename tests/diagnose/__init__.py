"""How often the rules are right: every cause, on every platform, put in other words and among other things."""
