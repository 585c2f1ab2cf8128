"""Who may, how often, and in which agent's name; the gates that a message passes."""
