"""Texts that several topics share: names, times, points, buttons, and how the games are played."""
