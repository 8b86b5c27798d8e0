"""Games that have been played: replays, reviews, records, and hands to watch."""
