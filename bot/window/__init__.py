"""The web page that opens the mind: the same values that chat and command line show, in a browser."""
