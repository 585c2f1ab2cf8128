"""How rows and their words go: by wish of a person, and by age."""
