"""The daily deal: played in private, compared, shared, and posted in the mornings."""
