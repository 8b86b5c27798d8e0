"""The commands of `python -m engine` (RECORD: Commands)."""
