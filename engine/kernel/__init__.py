"""Deals as integers, played out fast, for the strong player's search."""

from engine.kernel import shared as shared  # what compiled code may call, before any of it is compiled
