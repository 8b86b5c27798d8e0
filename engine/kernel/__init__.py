"""Deals as integers, played out fast, for the strong player's search."""
