"""Every sentence that refuses a player something, by the refusal's id."""

SENTENCES = {
    # rules
    "no_such_game": "There is no game called {name}; there are {games}.",
    "players": "{game} is for {numbers} players, not {given}.",
    "no_such_option": "There is no option called {option}.",
    "option_does_not_apply": "The option {option} does not apply here. {why}.",
    "option_value": "The option {option} cannot be {given!r}: it takes {allowed}.",
    "rules_form": "The rules must name a preset, a number of players and, at most, options.",
    # a card
    "not_held": "You do not hold the {card}.",
    "opening_lead": "The {card} leads the first trick.",
    "follow_suit": "You have {suit}, so you must follow suit.",
    "hand_before_exposed": "Cards from your hand come before the ones that you exposed.",
    "joker_lead": "A joker may be led only from a hand of nothing but jokers.",
    "safe_first_trick": "No hearts and no queen of spades in the first trick.",
    "safe_from_scoring": "No card that scores may be played to the first trick.",
    "hearts_unbroken": "Hearts are not broken yet: lead another suit.",
    # a turn
    "not_your_turn": "It is not your turn yet.",
    "not_passing": "There is no pass to make now.",
    "pass_count": "Choose exactly {count} cards to pass.",
    "not_exposing": "No card can be exposed now.",
    "nothing_to_expose": "You hold no card that can be exposed.",
    "not_exposable": "Only QS, JD, AH and TC can be exposed.",
    "not_playing": "No card can be played now.",
    "no_moon_choice": "There is no moon of yours to decide about.",
    "deal_over": "This deal is over.",
    "game_over": "This game is over.",
}
