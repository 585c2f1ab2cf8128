"""How something gets posted, changed, found again and taken back."""
