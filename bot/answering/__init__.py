"""Turns clicks and commands into calls of handlers: access, limits, refusals and errors."""
