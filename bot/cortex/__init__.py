"""The system's view of itself: it answers admins, in private, from records."""
