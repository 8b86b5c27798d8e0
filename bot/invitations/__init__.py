"""Inviting people to tables, and telling those who want to know that players are wanted."""
