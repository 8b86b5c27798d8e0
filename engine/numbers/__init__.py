"""Cards, rules and what a player sees as plain numbers, which Python and compiled code read alike."""
