"""Deals as integers, played out fast: what the strong player thinks with."""
