"""Tournaments: signing up, rounds at tables in threads, and the scores."""
