"""`python -m snellen` is `snellen`."""

from snellen.cli.main import main

if __name__ == "__main__":
    main()
