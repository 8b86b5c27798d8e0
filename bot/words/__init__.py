"""What several topics say, and how: text, times, points, and how the games are played."""
