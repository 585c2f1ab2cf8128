"""An admin's threads: what is posted there, its buttons, and how long they hold."""
