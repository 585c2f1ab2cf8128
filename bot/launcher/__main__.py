"""`python -m glassmind`, where the folder of commands is not on the PATH."""

from . import main

if __name__ == "__main__":
    main()
