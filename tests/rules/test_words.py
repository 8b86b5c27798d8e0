"""A table's rules in words, as everybody reads them behind Rules."""

import pytest
from by_chance import TABLES
from cardtable import rules

from engine.languages import ENGLISH
from engine.rules.ruleset import Ruleset, allowed_of
from engine.rules.wording import applicable, changed, describe, exposed, exposing, goal, worth

CHINESE = rules("chinese", 4)
#: Every option of the classic game turned round.
TURNED_ROUND = rules(
    "classic",
    4,
    pass_cards=0,
    safe_first_trick="off",
    hearts_broken_by="hearts",
    lead_hearts_with_queen=False,
    jack_of_diamonds=True,
    hooligan=True,
    spot_hearts=True,
    even_scores=True,
    moon="half",
    winner="highest",
)
GAMES = {
    rules("classic", 4): """\
Lowest total wins; over when a total reaches 100
One deck: 13 cards each.
Pass three cards: left, right, across, no pass, then repeat.
The holder of 2♣ leads it to the first trick.
First trick: no hearts and no Q♠.
Hearts may be led once a heart or Q♠ has been played in an earlier trick.
If you hold only hearts and Q♠, you may lead a heart.
Each heart counts 1, Q♠ 13.
The moon (all hearts and Q♠): the shooter chooses −26 for the shooter or +26 for everyone else.""",
    TURNED_ROUND: """\
Highest total wins; over when a total reaches 500
One deck: 13 cards each.
No cards are passed.
The holder of 2♣ leads it to the first trick.
Hearts may be led once a heart has been played in an earlier trick.
Hearts count their face value (J 11, Q 12, K 13, A 14), Q♠ 13.
The goal is reversed: what's bad in the usual game is good here, and vice versa.
Whoever takes J♦ gets −10.
Whoever takes 7♣ gets +7.
A total of exactly 50, 100 or 150 loses 50.
The moon (all hearts and Q♠): −58 for the shooter, +58 for everyone else.""",
    rules("wikibooks", 5, remainder="kitty", kitty="one-per-trick", moon="self"): """\
Lowest total wins; over when a total reaches 100
One deck: 10 cards each.
Kitty: two cards face down, one each for the winners of the first tricks.
Pass three cards: left, right, two to the left, two to the right, no pass, then repeat.
The holder of 2♣ leads it to the first trick.
First trick: no card that scores.
Hearts may be led once a heart has been played in an earlier trick.
Each heart counts 1, Q♠ 13.
The moon (all hearts and Q♠): −26 for the shooter.""",
    rules("wikibooks", 6, pass_cards=1): """\
Lowest total wins; over when a total reaches 100
One deck and two jokers: 9 cards each.
Jokers may be played to any lead, never win and count nothing.
Pass one card: left, right, two to the left, two to the right, across, no pass, then repeat.
The holder of 2♣ leads it to the first trick.
First trick: no card that scores.
Hearts may be led once a heart has been played in an earlier trick.
Each heart counts 1, Q♠ 13.
The moon (all hearts and Q♠): the shooter gets 0, everyone else 26.""",
    rules("double-deck", 9, pass_cards=0): """\
Lowest total wins; over when a total reaches 100
Two decks without one 2♣, one 2♦, one 2♠, one 2♥: 11 cards each.
Kitty: one card face down, one for the winner of the first trick, the rest for the last trick's.
No cards are passed.
The holder of 2♣ leads it to the first trick.
First trick: no card that scores.
Hearts may be led once a heart has been played in an earlier trick.
If both copies of a card are in a trick, the first ranks higher.
Each heart counts 1, Q♠ 13.
The moon (all hearts and both Q♠): the shooter chooses −52 for the shooter or +52 for everyone else.""",
    rules("cancellation", 5, pass_cards=2): """\
Highest total wins; over when a total reaches 150
Two decks and one joker: 21 cards each.
The joker is a club below the two.
Pass two cards: no pass, left, two to the left, two to the right, right, then repeat.
The holder of the joker leads it to the first trick.
First trick: no hearts and no Q♠.
Hearts may be led once a heart or Q♠ has been played in an earlier trick.
Two copies in a trick cancel each other: neither wins.
If every card of the suit led is cancelled, the trick is on hold for the next winner.
If that happens in the last trick, the second copy of the highest card wins it.
Each heart counts 1, Q♠ 13.
The moon (all hearts and both Q♠): the shooter chooses −52 for the shooter or +52 for everyone else.""",
    rules("chinese", 6): """\
Highest total wins; over when a total reaches 5000 or −5000
One deck without 2♣, 3♣, 4♣, 5♣: 8 cards each.
No cards are passed.
Q♠, J♦, A♥ and 10♣ may be exposed before play; once three are, the fourth must be.
The oldest player, or whoever the host names, leads first; after that, whoever last took Q♠.
Q♠ −100, J♦ +100, A♥ −50, K♥ −40, Q♥ −30, J♥ −20, 5♥ to 10♥ −10 each.
A suit with an exposed card counts double.
10♣ doubles its taker's points (exposed: fourfold); alone it is worth 50 (100).
Shooting the moon (all 13 hearts): the hearts count for you instead of against you. \
With Q♠, J♦ and 10♣ as well, it's the sun: 10000.""",
}


@pytest.mark.parametrize(
    ("of", "words"), GAMES.items(), ids=[f"{of.preset.name} {of.players}" for of in GAMES]
)
def test_the_rules_in_words(of: Ruleset, words: str) -> None:
    assert [goal(of, ENGLISH), *describe(of, ENGLISH)] == words.splitlines()


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_whatever_an_option_is_the_words_say_so(preset: str, players: int) -> None:
    of = rules(preset, players)
    for name in applicable(of):
        values = allowed_of(of.preset, players, name)[:100]
        varied = [changed(of, {name: value}) for value in values]
        assert len({(goal(one, ENGLISH), *describe(one, ENGLISH)) for one in varied}) == len(values), name


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (rules("classic", 4, jack_of_diamonds=True), "Each heart counts +1, Q♠ +13, J♦ −10."),
        (
            rules("wikibooks", 4, spot_hearts=True, hooligan=True),
            "Hearts count their face value (J 11, Q 12, K 13, A 14), Q♠ 13, 7♣ 7.",
        ),
        (
            CHINESE,
            "Q♠ −100, J♦ +100, A♥ −50, K♥ −40, Q♥ −30, J♥ −20, 5♥ to 10♥ −10 each. "
            "10♣ doubles its taker's points (exposed: fourfold); alone it is worth 50 (100).",
        ),
    ],
)
def test_what_every_card_counts_in_words(of: Ruleset, words: str) -> None:
    assert worth(of, ENGLISH) == words


def test_what_exposing_does_in_words() -> None:
    assert exposing(CHINESE, ENGLISH) == (
        "You may lay a card face up before the first trick: then its suit counts double, and 10♣ four times "
        "instead of twice. Once three are exposed, the fourth must be."
    )
    told = {code: exposed(CHINESE, CHINESE.pack.faces[code], ENGLISH) for code in ("QS", "JD", "AH", "TC")}
    assert told == {
        "QS": "It will count −200 instead of −100.",
        "JD": "It will count +200 instead of +100.",
        "AH": "All hearts will count double.",
        "TC": "It will multiply its taker's points by four instead of two; "
        "alone it will be worth 100 instead of 50.",
    }
