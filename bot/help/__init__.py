"""Help: what there is to do, the commands, and how to play."""
