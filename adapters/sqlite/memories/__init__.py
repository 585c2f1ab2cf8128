"""What is remembered, and how it hangs together."""
