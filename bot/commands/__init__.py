"""Slash commands: they parse and call."""
