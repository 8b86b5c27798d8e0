"""The schema of the database: `SCHEMA` creates a new one, `MIGRATIONS` bring older ones to its version.

Ids of people, servers, channels and messages are Discord's. Times are in seconds since 1970. The bodies of
tables and tournaments are JSON values, written and read whole: see `engine.storage.codec`.
"""

#: Version 1. Whatever a migration changes is changed here too.
SCHEMA = """
-- Tables and what is played there

CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild INTEGER NOT NULL,                     -- 0 where no server has it
    channel INTEGER NOT NULL,                   -- below 0 where one person plays in private
    state TEXT NOT NULL CHECK (state IN ('lobby', 'playing', 'over', 'stopped')),
    opened_at REAL NOT NULL,
    unplayed_since REAL,                        -- when it closed without a finished deal
    end_seen INTEGER NOT NULL DEFAULT 0 CHECK (end_seen IN (0, 1)),
    is_damaged INTEGER NOT NULL DEFAULT 0 CHECK (is_damaged IN (0, 1)),
    body TEXT NOT NULL CHECK (json_valid(body)),  -- the table but for its moves and the columns here, as JSON
    turn TEXT NOT NULL CHECK (json_valid(turn))   -- of that what changes with every card, as JSON
) STRICT;
CREATE INDEX tables_unseen ON tables (id) WHERE NOT end_seen;
CREATE INDEX tables_unplayed ON tables (unplayed_since) WHERE unplayed_since IS NOT NULL;
CREATE INDEX tables_of_a_channel ON tables (channel);
CREATE UNIQUE INDEX one_live_table_a_channel ON tables (channel)
    WHERE state IN ('lobby', 'playing') AND NOT is_damaged;
CREATE UNIQUE INDEX one_table_a_place_in_a_tournament ON tables
    (body ->> '$.tournament.tournament', body ->> '$.tournament.round', body ->> '$.tournament.number')
    WHERE body ->> '$.tournament' IS NOT NULL;
CREATE INDEX tables_with_invitations ON tables (id)
    WHERE state IN ('over', 'stopped') AND json_array_length(body, '$.invitations') > 0;

-- Everyone whom a table's body names, in whatever part
CREATE TABLE people (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    person INTEGER NOT NULL,
    PRIMARY KEY (table_id, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX tables_of_a_person ON people (person);

CREATE TABLE moves (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,                    -- from 0
    move TEXT NOT NULL,                         -- JSON
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX deals ON moves (table_id, number) WHERE substr(move, 1, 8) = '{"dealt"';

-- What finished deals and games come to

CREATE TABLE pars (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    deal INTEGER NOT NULL,                      -- from 1
    points TEXT NOT NULL,                       -- by seat, JSON
    errors TEXT NOT NULL,                       -- their standard errors, JSON
    replays INTEGER NOT NULL,
    PRIMARY KEY (table_id, deal)
) STRICT, WITHOUT ROWID;

-- One person's game each: see `engine.storage.results`
CREATE TABLE results (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    person INTEGER NOT NULL,                    -- below 0 once they have been deleted
    seat INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    lowest INTEGER NOT NULL,                    -- whether the lowest total wins
    number INTEGER NOT NULL,                    -- counts games in the order in which they ended
    ended_at REAL NOT NULL,
    people INTEGER NOT NULL,
    place INTEGER NOT NULL,
    won INTEGER NOT NULL,
    gone INTEGER NOT NULL,                      -- whether they left before the end
    points INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    best INTEGER,                               -- of their deals; NULL without one
    worst INTEGER,
    moons INTEGER NOT NULL,
    queens INTEGER NOT NULL,
    queens_given INTEGER NOT NULL,
    par_deals INTEGER NOT NULL,
    par_gain REAL NOT NULL,
    par_squares REAL NOT NULL,
    weight REAL NOT NULL,                       -- what the game counts on leaderboards
    experience REAL,                            -- NULL in games with computers alone, like all that follows
    met INTEGER,
    mu_before REAL,
    sigma_before REAL,
    mu REAL,
    sigma REAL,
    PRIMARY KEY (table_id, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX results_by_number ON results (number);
-- With all that is told of somebody's games in one place: a player of thousands need not wait for each
CREATE INDEX results_of_a_person ON results (person, guild, game, lowest, number, people, place,
    won, points, deals, best, worst, moons, queens, queens_given, mu, sigma,
    par_deals, par_gain, par_squares);

-- Each person's results added up, for a month (202611), a year (2026) and all time (0)
CREATE TABLE standings (
    guild INTEGER NOT NULL,
    period INTEGER NOT NULL,
    game TEXT NOT NULL,
    lowest INTEGER NOT NULL,
    ranked INTEGER NOT NULL,                    -- whether with other people
    person INTEGER NOT NULL,
    name TEXT NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    points INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    moons INTEGER NOT NULL,
    par_deals INTEGER NOT NULL,
    par_gain REAL NOT NULL,
    par_squares REAL NOT NULL,
    weight REAL NOT NULL,
    counted_wins REAL NOT NULL,
    counted_points REAL NOT NULL,
    counted_deals REAL NOT NULL,
    mu_before REAL,
    sigma_before REAL,
    mu REAL,
    sigma REAL,
    PRIMARY KEY (guild, period, game, lowest, ranked, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX standings_of_a_person ON standings (person);

CREATE TABLE achievements (
    guild INTEGER NOT NULL,
    person INTEGER NOT NULL,
    id TEXT NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    PRIMARY KEY (guild, person, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX achievements_of_a_table ON achievements (table_id);
CREATE INDEX achievements_of_a_person ON achievements (person);

-- The daily deals

CREATE TABLE days (
    day TEXT PRIMARY KEY,                       -- 2026-11-22
    rules TEXT NOT NULL,                        -- JSON
    deals TEXT NOT NULL,                        -- JSON; a secret until the day is over
    made_at REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE day_pars (
    day TEXT NOT NULL,
    deal INTEGER NOT NULL,
    points TEXT NOT NULL,
    errors TEXT NOT NULL,
    replays INTEGER NOT NULL,
    PRIMARY KEY (day, deal)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_results (
    day TEXT NOT NULL,
    person INTEGER NOT NULL,
    name TEXT NOT NULL,
    guild INTEGER NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    first INTEGER NOT NULL,                     -- the points of each deal
    second INTEGER NOT NULL,
    third INTEGER NOT NULL,
    finished_at REAL NOT NULL,
    is_ranked INTEGER NOT NULL,
    is_shared INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_results_of_person ON daily_results (person, day);

CREATE TABLE daily_channels (guild INTEGER PRIMARY KEY, channel INTEGER NOT NULL) STRICT;

CREATE TABLE daily_posts (
    day TEXT NOT NULL,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (day, guild)
) STRICT, WITHOUT ROWID;

-- Tournaments

CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('signing up', 'playing', 'over', 'stopped')),
    body TEXT NOT NULL CHECK (json_valid(body))  -- the rest of it, as JSON
) STRICT;
CREATE UNIQUE INDEX one_live_tournament_a_server ON tournaments (guild)
    WHERE state IN ('signing up', 'playing');
CREATE INDEX tournaments_of_a_server ON tournaments (guild);

-- Everyone whom a tournament's body names
CREATE TABLE tournament_people (
    tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    person INTEGER NOT NULL,
    PRIMARY KEY (tournament, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX tournaments_of_a_person ON tournament_people (person);

-- What those that are over came to, for everyone who played a deal that counts
CREATE TABLE tournament_results (
    tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    person INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    name TEXT NOT NULL,
    season INTEGER NOT NULL,                    -- a quarter of a year: 20264
    place INTEGER NOT NULL,
    score REAL NOT NULL,                        -- points better than par
    deals INTEGER NOT NULL,
    PRIMARY KEY (tournament, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX tournament_results_of_a_person ON tournament_results (person);
CREATE INDEX tournament_results_of_a_season ON tournament_results (guild, season);

-- Messages and threads that show tables and tournaments

CREATE TABLE messages (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    key TEXT NOT NULL,                          -- the part of the table; a hand's ends with whose: hand3:123
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    shown TEXT,                                 -- a fingerprint of how it looked at the last orderly stop
    PRIMARY KEY (table_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_of_a_person ON messages (substr(key, instr(key, ':') + 1));

CREATE TABLE tournament_messages (
    tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    shown TEXT,
    PRIMARY KEY (tournament, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE threads (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    table_id INTEGER
) STRICT;

CREATE TABLE dm_channels (person INTEGER PRIMARY KEY, channel INTEGER NOT NULL) STRICT;

-- What people and servers have chosen

CREATE TABLE preferences (
    person INTEGER PRIMARY KEY,
    calls TEXT NOT NULL,
    forced TEXT NOT NULL,
    language TEXT,
    may_be_invited INTEGER NOT NULL,
    zone TEXT,
    taps_twice INTEGER NOT NULL,
    two_colours INTEGER NOT NULL,
    letters TEXT NOT NULL,
    suits TEXT NOT NULL
) STRICT;

CREATE TABLE locales (person INTEGER PRIMARY KEY, locale TEXT NOT NULL) STRICT;

CREATE TABLE call_wishes (
    guild INTEGER NOT NULL,
    person INTEGER NOT NULL,
    way TEXT NOT NULL,
    every_hours INTEGER NOT NULL,
    quiet_from INTEGER,                         -- hours by the clock of the person
    quiet_until INTEGER,
    told_at REAL,
    PRIMARY KEY (guild, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX call_wishes_of_a_person ON call_wishes (person);

CREATE TABLE server_languages (guild INTEGER PRIMARY KEY, language TEXT NOT NULL) STRICT;

CREATE TABLE server_settings (
    guild INTEGER PRIMARY KEY,
    in_threads INTEGER NOT NULL,
    allows_calls INTEGER NOT NULL,
    open_tournaments INTEGER NOT NULL
) STRICT;

CREATE TABLE house_rules (
    guild INTEGER NOT NULL,
    name TEXT NOT NULL,
    rules TEXT NOT NULL,                        -- JSON
    hints TEXT NOT NULL,                        -- who may ask for them
    author INTEGER NOT NULL,                    -- 0 once they have been deleted
    PRIMARY KEY (guild, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX house_rules_of_a_person ON house_rules (author);

-- The last game that each person has handed in as a file
CREATE TABLE handed_in (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    person INTEGER NOT NULL UNIQUE,
    at REAL NOT NULL,
    names TEXT NOT NULL,                        -- JSON
    record BLOB NOT NULL                        -- without them
) STRICT;
CREATE INDEX handed_in_by_age ON handed_in (at);

-- Privacy and moderation

-- Whose deletion was begun and isn't finished
CREATE TABLE deletions (person INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;

-- Who has deleted everything on a day whose cards they have seen, or in a tournament
CREATE TABLE deleted_players (occasion TEXT NOT NULL, key BLOB NOT NULL, hash BLOB NOT NULL) STRICT;

CREATE TABLE blocked (key BLOB NOT NULL, hash BLOB NOT NULL) STRICT;

-- The program's own notes
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""

#: For each version before the newest, from 1, the statements that lead to the next one.
MIGRATIONS: tuple[str, ...] = ()


def statements(sql: str) -> list[str]:
    """Split this text into its statements; a semicolon at the end of a line must end one."""
    return [one for one in sql.split(";\n") if one.strip()]
