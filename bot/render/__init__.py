"""Views in, messages out. Nothing here sends anything or knows who is asking."""
