"""Who may do what and who is there: members, rights, channels, and the probes that ask for them."""
