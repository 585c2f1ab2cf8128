"""What owners and admins hear unasked."""
