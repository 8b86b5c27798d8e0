"""The Hearts family of card games, without Discord: rules, computers, tables and their storage."""

#: The version of the whole program: set it here alone, and say what is new in `.github/CHANGELOG.md`.
__version__ = "0.2.0"
