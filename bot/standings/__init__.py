"""Leaderboards, and one person's statistics."""
