"""How findings, texts and previews are put into words."""
