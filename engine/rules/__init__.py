"""What the four documents say: options, packs, passing, plays, tricks and scoring."""
