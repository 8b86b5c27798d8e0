"""The rules as the documents state them: options, packs, passing, plays, tricks and counting.

Comments and tests name each rule by its id; tests/rules holds a test for every one of them:

G   what all games have in common
K   Hearts as GameColony gives it: `classic`
W   Hearts in the Wikibook on card games: `wikibooks`, and from W16 `double-deck`
P   Cancellation Hearts on PEGWiki: `cancellation`
C   Chinese Hearts on PEGWiki: `chinese`
"""
