"""Pure functions over text: cleaning, redacting, splitting, links, times, Markdown."""
