"""The schema's history; a migration that has run anywhere is never changed, only followed by another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.storage.old_schemas import whole_rules

#: What the statements can call besides SQLite's own functions; each takes one value.
FUNCTIONS: Mapping[str, Callable[[bytes], str | None]] = {"whole_rules": whole_rules}

#: Statements by migration; the number of a migration is its place, from 1.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE tables (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            guild INTEGER NOT NULL,
            channel INTEGER NOT NULL,
            host INTEGER NOT NULL,
            first INTEGER,
            rules TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('lobby', 'playing', 'over', 'stopped')),
            pace TEXT NOT NULL,
            paused INTEGER NOT NULL,
            timer TEXT NOT NULL,
            notice TEXT NOT NULL,
            opened_at REAL NOT NULL,
            end_seen INTEGER NOT NULL DEFAULT 0
        )""",
        "CREATE INDEX tables_unseen ON tables (id) WHERE NOT end_seen",
        """CREATE UNIQUE INDEX one_live_table_a_channel ON tables (channel)
            WHERE state IN ('lobby', 'playing')""",
        """CREATE TABLE seats (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            person INTEGER,
            name TEXT NOT NULL,
            away INTEGER NOT NULL,
            missed INTEGER NOT NULL,
            PRIMARY KEY (table_id, seat)
        ) WITHOUT ROWID""",
        """CREATE TABLE moves (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            move TEXT NOT NULL,
            PRIMARY KEY (table_id, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE results (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            guild INTEGER NOT NULL,
            person INTEGER NOT NULL,
            name TEXT NOT NULL,
            game TEXT NOT NULL,
            lowest INTEGER NOT NULL,
            won INTEGER NOT NULL,
            points INTEGER NOT NULL,
            deals INTEGER NOT NULL,
            moons INTEGER NOT NULL,
            PRIMARY KEY (table_id, seat)
        ) WITHOUT ROWID""",
        "CREATE INDEX results_by_guild ON results (guild, game, lowest, person)",
        """CREATE TABLE messages (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            channel INTEGER NOT NULL,
            message INTEGER NOT NULL,
            shown TEXT,
            PRIMARY KEY (table_id, key)
        ) WITHOUT ROWID""",
        """CREATE TABLE house_rules (
            guild INTEGER NOT NULL,
            name TEXT NOT NULL,
            rules TEXT NOT NULL,
            author INTEGER NOT NULL,
            PRIMARY KEY (guild, name)
        ) WITHOUT ROWID""",
        "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    ),
    (
        # A table that cannot be read is set aside for repair, and leaves its channel to another.
        "ALTER TABLE tables ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0",
        "DROP INDEX one_live_table_a_channel",
        """CREATE UNIQUE INDEX one_live_table_a_channel ON tables (channel)
            WHERE state IN ('lobby', 'playing') AND NOT damaged""",
    ),
    tuple(
        # As its bytes: SQLite hands on no text that is no UTF-8. What is damaged stays as it is.
        f"UPDATE {table} SET rules = coalesce(whole_rules(CAST(rules AS BLOB)), rules)"
        for table in ("tables", "house_rules")
    ),
    # Where each deal of a table begins: one of them is looked up without all the others.
    ("""CREATE INDEX deals ON moves (table_id, number) WHERE substr(move, 1, 8) = '{"dealt"'""",),
    # What players prefer, of those who have chosen something.
    (
        """CREATE TABLE preferences (
            person INTEGER PRIMARY KEY,
            calls TEXT NOT NULL,
            forced TEXT NOT NULL
        )""",
    ),
    # The cards that a player has picked to pass, and not passed yet.
    (
        """CREATE TABLE picks (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            cards TEXT NOT NULL,
            PRIMARY KEY (table_id, seat)
        ) WITHOUT ROWID""",
    ),
    # Whether computers finish a deal in which no points are left.
    ("ALTER TABLE tables ADD COLUMN finishes_early INTEGER NOT NULL DEFAULT 1",),
    # How strong computers are: there was one strength before, which is the middle one now.
    tuple(
        f"ALTER TABLE {table} ADD COLUMN strength TEXT NOT NULL DEFAULT 'medium'"
        for table in ("tables", "seats")
    ),
    # Who may ask for hints, and the hints of which the table is told.
    (
        "ALTER TABLE tables ADD COLUMN hints TEXT NOT NULL DEFAULT 'alone'",
        "ALTER TABLE tables ADD COLUMN asked TEXT NOT NULL DEFAULT '[]'",
    ),
    # How a table is played at, in one column: what is added to it needs no column of its own.
    (
        "ALTER TABLE tables ADD COLUMN conduct TEXT NOT NULL DEFAULT '{}'",
        """UPDATE tables SET conduct = json_object(
            'finishes_early', json(iif(finishes_early, 'true', 'false')),
            'hints', hints,
            'asked', json(iif(json_valid(asked), asked, '[]'))
        )""",
        *(f"ALTER TABLE tables DROP COLUMN {column}" for column in ("finishes_early", "hints", "asked")),
    ),
    # A row for each person, whatever seats they had, with all that ratings, boards and statistics need.
    # For old games nobody knows when they ended, who had left by then, or what single deals came to.
    (
        "ALTER TABLE results RENAME TO old_results",
        """CREATE TABLE results (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            person INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            guild INTEGER NOT NULL,
            name TEXT NOT NULL,
            game TEXT NOT NULL,
            lowest INTEGER NOT NULL,
            number INTEGER NOT NULL,
            ended_at REAL NOT NULL,
            people INTEGER NOT NULL,
            place INTEGER NOT NULL,
            won INTEGER NOT NULL,
            gone INTEGER NOT NULL,
            points INTEGER NOT NULL,
            deals INTEGER NOT NULL,
            best INTEGER,
            worst INTEGER,
            moons INTEGER NOT NULL,
            queens INTEGER NOT NULL,
            queens_given INTEGER NOT NULL,
            mu_before REAL,
            sigma_before REAL,
            mu REAL,
            sigma REAL,
            PRIMARY KEY (table_id, person)
        ) WITHOUT ROWID""",
        """INSERT INTO results (table_id, person, seat, guild, name, game, lowest, number, ended_at, people,
            place, won, gone, points, deals, moons, queens, queens_given)
        SELECT table_id, person, seat, results.guild, name, game, lowest,
            DENSE_RANK() OVER (ORDER BY opened_at, table_id), opened_at,
            COUNT(*) OVER (PARTITION BY table_id),
            RANK() OVER (PARTITION BY table_id
                ORDER BY won DESC, CASE WHEN won THEN 0 WHEN lowest THEN points ELSE -points END),
            won, 0, points, deals, moons, 0, 0
        FROM old_results AS results JOIN tables ON tables.id = table_id""",
        "DROP TABLE old_results",
        "CREATE INDEX results_by_number ON results (number)",
        "CREATE INDEX results_of_a_kind ON results (guild, game, lowest, number)",
        "CREATE INDEX results_of_a_person ON results (person, guild, game, lowest, number)",
    ),
    # Seats that change hands mid-game: the deal from which on each player has had theirs, the claims on seats
    # with the next deal, and the players who lost theirs, and when.
    (
        "ALTER TABLE seats ADD COLUMN since INTEGER NOT NULL DEFAULT 1",
        """CREATE TABLE takers (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            person INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (table_id, seat)
        ) WITHOUT ROWID""",
        """CREATE TABLE departed (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            person INTEGER NOT NULL,
            name TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
            PRIMARY KEY (table_id, seat, until)
        ) WITHOUT ROWID""",
    ),
    # The daily deals, what became of them, and which servers hear of them in the morning.
    (
        """CREATE TABLE days (
            day TEXT PRIMARY KEY,
            rules TEXT NOT NULL,
            deals TEXT NOT NULL,
            made_at REAL NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE daily_results (
            day TEXT NOT NULL,
            person INTEGER NOT NULL,
            name TEXT NOT NULL,
            guild INTEGER NOT NULL,
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            first INTEGER NOT NULL,
            second INTEGER NOT NULL,
            third INTEGER NOT NULL,
            finished_at REAL NOT NULL,
            is_ranked INTEGER NOT NULL,
            is_shared INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (day, person)
        ) WITHOUT ROWID""",
        "CREATE INDEX daily_results_of_person ON daily_results (person, day)",
        "CREATE TABLE daily_channels (guild INTEGER PRIMARY KEY, channel INTEGER NOT NULL)",
        """CREATE TABLE daily_posts (
            day TEXT NOT NULL,
            guild INTEGER NOT NULL,
            is_morning INTEGER NOT NULL,
            channel INTEGER NOT NULL,
            message INTEGER NOT NULL,
            PRIMARY KEY (day, guild, is_morning)
        ) WITHOUT ROWID""",
    ),
    # What each person has achieved in each server, and at which table first.
    (
        """CREATE TABLE achievements (
            guild INTEGER NOT NULL,
            person INTEGER NOT NULL,
            id TEXT NOT NULL,
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            PRIMARY KEY (guild, person, id)
        ) WITHOUT ROWID""",
        "CREATE INDEX achievements_of_a_table ON achievements (table_id)",
    ),
    # What the results of each person come to, in a month (202611), a year (2026) and all time (0): boards are
    # read from these. `recompute_ratings` fills them.
    (
        """CREATE TABLE standings (
            guild INTEGER NOT NULL,
            period INTEGER NOT NULL,
            game TEXT NOT NULL,
            lowest INTEGER NOT NULL,
            ranked INTEGER NOT NULL,
            person INTEGER NOT NULL,
            name TEXT NOT NULL,
            games INTEGER NOT NULL,
            wins INTEGER NOT NULL,
            points INTEGER NOT NULL,
            deals INTEGER NOT NULL,
            moons INTEGER NOT NULL,
            mu_before REAL,
            sigma_before REAL,
            mu REAL,
            sigma REAL,
            PRIMARY KEY (guild, period, game, lowest, ranked, person)
        ) WITHOUT ROWID""",
    ),
    # The last game that each person has handed in as a file, to look at it again.
    (
        """CREATE TABLE handed_in (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            person INTEGER NOT NULL UNIQUE,
            at REAL NOT NULL,
            names TEXT NOT NULL,
            record BLOB NOT NULL
        )""",
        "CREATE INDEX handed_in_by_age ON handed_in (at)",
    ),
    # All that is told of somebody's games lies in one place: a player of thousands need not wait for each.
    (
        "DROP INDEX results_of_a_person",
        """CREATE INDEX results_of_a_person ON results (person, guild, game, lowest, number, people, place,
            won, points, deals, best, worst, moons, queens, queens_given, mu, sigma)""",
    ),
    # Boards are read from the standings.
    ("DROP INDEX results_of_a_kind",),
    # With the key columns first: SQLite 3.40 looks for the others in the wrong places, and reports damage.
    (
        "ALTER TABLE departed RENAME TO old_departed",
        """CREATE TABLE departed (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            seat INTEGER NOT NULL,
            until INTEGER NOT NULL,
            person INTEGER NOT NULL,
            name TEXT NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (table_id, seat, until)
        ) WITHOUT ROWID""",
        """INSERT INTO departed (table_id, seat, until, person, name, since)
            SELECT table_id, seat, until, person, name, since FROM old_departed""",
        "DROP TABLE old_departed",
    ),
    # What somebody waits for is found without looking through all tables and people that there ever were.
    (
        "CREATE INDEX tables_of_a_channel ON tables (channel)",
        "CREATE INDEX tables_of_a_host ON tables (host)",
        "CREATE INDEX tables_led_first ON tables (first) WHERE first IS NOT NULL",
        "CREATE INDEX seats_of_a_person ON seats (person) WHERE person IS NOT NULL",
        "CREATE INDEX takers_of_a_person ON takers (person)",
        "CREATE INDEX departed_of_a_person ON departed (person)",
        "CREATE INDEX achievements_of_a_person ON achievements (person)",
        "CREATE INDEX standings_of_a_person ON standings (person)",
        "CREATE INDEX house_rules_of_a_person ON house_rules (author)",
        # A hand's key ends with whose it is: hand3:123.
        "CREATE INDEX messages_of_a_person ON messages (substr(key, instr(key, ':') + 1))",
    ),
    # What a ranked game counts for: how much each had played before it, and how often they had just met the
    # others. Of a stranger only the doubt tells: a game took about a quarter off a newcomer's.
    # All ratings are computed again at the start, as there are no standings.
    (
        "ALTER TABLE results ADD COLUMN experience REAL",
        "ALTER TABLE results ADD COLUMN met INTEGER",
        """UPDATE results SET experience = max(0.0, coalesce(4 * (25 / 3.0 - sigma_before), 0.0)), met = 0
            WHERE people > 1 AND person < 0""",
        """UPDATE results SET experience = played.before, met = 0 FROM (
            SELECT table_id, person,
                TOTAL(CASE deals WHEN 1 THEN 0.01 WHEN 2 THEN 0.05 WHEN 3 THEN 0.5 ELSE 1 END)
                OVER (PARTITION BY person, guild, game, lowest ORDER BY number
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
            FROM results WHERE people > 1 AND person > 0
        ) AS played WHERE results.table_id = played.table_id AND results.person = played.person""",
        """UPDATE results SET met = meetings.before FROM (
            SELECT table_id, person, SUM(before) AS before FROM (
                SELECT mine.table_id, mine.person, COUNT(*)
                    OVER (PARTITION BY mine.person, theirs.person, mine.guild, mine.game, mine.lowest
                        ORDER BY mine.ended_at RANGE BETWEEN 259200 PRECEDING AND CURRENT ROW
                        EXCLUDE CURRENT ROW) AS before
                FROM results AS mine JOIN results AS theirs USING (table_id)
                WHERE mine.person > 0 AND theirs.person > 0 AND mine.person <> theirs.person
            ) GROUP BY table_id, person
        ) AS meetings WHERE results.table_id = meetings.table_id AND results.person = meetings.person""",
        "DELETE FROM standings",
    ),
    # Who is being deleted: what a kill or a refusing table breaks off is finished later.
    ("CREATE TABLE deletions (person INTEGER PRIMARY KEY, name TEXT NOT NULL)",),
    # Who has seen a day's cards and deleted everything since.
    ("CREATE TABLE daily_seen (day TEXT NOT NULL, key BLOB NOT NULL, hash BLOB NOT NULL)",),
    # The channel of each person's direct messages: Discord lets a bot open few in a short time.
    (
        "CREATE TABLE dm_channels (person INTEGER PRIMARY KEY, channel INTEGER NOT NULL)",
        """INSERT OR REPLACE INTO dm_channels (person, channel)
        SELECT CAST(substr(key, instr(key, ':') + 1) AS INTEGER), channel FROM messages
        WHERE (key GLOB 'welcome:[0-9]*' OR key GLOB 'hand[0-9]*:[0-9]*') AND typeof(channel) = 'integer'
        ORDER BY message""",
    ),
    # Who reads what: the language that a server or a person has chosen, and the locale in which somebody who
    # has had a seat was last seen.
    (
        "CREATE TABLE server_languages (guild INTEGER PRIMARY KEY, language TEXT NOT NULL)",
        "CREATE TABLE locales (person INTEGER PRIMARY KEY, locale TEXT NOT NULL)",
        "ALTER TABLE preferences ADD COLUMN language TEXT",
    ),
    # What the managers of a server have chosen for it.
    (
        """CREATE TABLE server_settings (
            guild INTEGER PRIMARY KEY,
            in_threads INTEGER NOT NULL DEFAULT 0
        )""",
    ),
    # The threads that were opened for tables, to find them in their channels, and to archive them.
    (
        """CREATE TABLE threads (
            id INTEGER PRIMARY KEY,
            guild INTEGER NOT NULL,
            channel INTEGER NOT NULL,
            table_id INTEGER
        )""",
    ),
    # Who was asked to which table, by whom, and until when their seat is kept; who may be asked; and who
    # wants to be told when a table in a server needs players.
    (
        """CREATE TABLE invitations (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            person INTEGER NOT NULL,
            name TEXT NOT NULL,
            number INTEGER NOT NULL,
            inviter INTEGER NOT NULL,
            way TEXT NOT NULL,
            at REAL NOT NULL,
            kept_until REAL,
            is_told INTEGER NOT NULL,
            PRIMARY KEY (table_id, person)
        ) WITHOUT ROWID""",
        "CREATE INDEX invitations_of_a_person ON invitations (person, at)",
        "CREATE INDEX invitations_by_a_person ON invitations (inviter, at)",
        "CREATE INDEX invitations_by_age ON invitations (at)",
        "ALTER TABLE preferences ADD COLUMN may_be_invited INTEGER NOT NULL DEFAULT 1",
        """CREATE TABLE call_wishes (
            guild INTEGER NOT NULL,
            person INTEGER NOT NULL,
            way TEXT NOT NULL,
            every_hours INTEGER NOT NULL,
            quiet_from INTEGER,
            quiet_until INTEGER,
            utc_offset INTEGER NOT NULL,
            told_at REAL,
            PRIMARY KEY (guild, person)
        ) WITHOUT ROWID""",
        "CREATE INDEX call_wishes_of_a_person ON call_wishes (person)",
        "ALTER TABLE server_settings ADD COLUMN allows_calls INTEGER NOT NULL DEFAULT 1",
    ),
    # What strong computers make of the same cards, of each deal that is over and of past days' deals; and
    # the sums, by person, of how much better they did.
    (
        """CREATE TABLE pars (
            table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            deal INTEGER NOT NULL,
            points TEXT NOT NULL,
            errors TEXT NOT NULL,
            replays INTEGER NOT NULL,
            PRIMARY KEY (table_id, deal)
        ) WITHOUT ROWID""",
        """CREATE TABLE day_pars (
            day TEXT NOT NULL,
            deal INTEGER NOT NULL,
            points TEXT NOT NULL,
            errors TEXT NOT NULL,
            replays INTEGER NOT NULL,
            PRIMARY KEY (day, deal)
        ) WITHOUT ROWID""",
        "ALTER TABLE results ADD COLUMN par_deals INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE results ADD COLUMN par_gain REAL NOT NULL DEFAULT 0.0",
        "ALTER TABLE results ADD COLUMN par_squares REAL NOT NULL DEFAULT 0.0",
        "ALTER TABLE standings ADD COLUMN par_deals INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE standings ADD COLUMN par_gain REAL NOT NULL DEFAULT 0.0",
        "ALTER TABLE standings ADD COLUMN par_squares REAL NOT NULL DEFAULT 0.0",
        "DROP INDEX results_of_a_person",
        """CREATE INDEX results_of_a_person ON results (person, guild, game, lowest, number, people, place,
            won, points, deals, best, worst, moons, queens, queens_given, mu, sigma,
            par_deals, par_gain, par_squares)""",
    ),
    # A server's tournaments: who has signed up, by a number that stays when a person is forgotten; the tables
    # of each round; and what somebody came to once it is over.
    (
        """CREATE TABLE tournaments (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            guild INTEGER NOT NULL,
            channel INTEGER NOT NULL,
            host INTEGER NOT NULL,
            terms TEXT NOT NULL,
            state TEXT NOT NULL,
            opened_at REAL NOT NULL,
            seed INTEGER NOT NULL,
            starts_at REAL,
            is_reminded INTEGER NOT NULL,
            rounds TEXT NOT NULL,
            next_at REAL,
            ended_at REAL,
            reason TEXT
        )""",
        """CREATE UNIQUE INDEX one_live_tournament_a_server ON tournaments (guild)
            WHERE state IN ('signing up', 'playing')""",
        "CREATE INDEX tournaments_of_a_server ON tournaments (guild)",
        "CREATE INDEX tournaments_of_a_host ON tournaments (host)",
        """CREATE TABLE entrants (
            tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            person INTEGER NOT NULL,
            name TEXT NOT NULL,
            since INTEGER NOT NULL,
            is_here INTEGER NOT NULL,
            is_out INTEGER NOT NULL,
            guild INTEGER,
            season INTEGER,
            place INTEGER,
            score REAL,
            deals INTEGER,
            PRIMARY KEY (tournament, number)
        ) WITHOUT ROWID""",
        "CREATE INDEX entrants_of_a_person ON entrants (person)",
        "CREATE INDEX entrants_of_a_season ON entrants (guild, season) WHERE guild IS NOT NULL",
        """CREATE TABLE tournament_tables (
            tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
            round INTEGER NOT NULL,
            number INTEGER NOT NULL,
            seats TEXT NOT NULL,
            state TEXT NOT NULL,
            channel INTEGER,
            table_id INTEGER,
            deals TEXT NOT NULL,
            tries INTEGER NOT NULL,
            PRIMARY KEY (tournament, round, number)
        ) WITHOUT ROWID""",
    ),
    # Whether anyone may open a tournament in a server, or only who may create events.
    ("ALTER TABLE server_settings ADD COLUMN open_tournaments INTEGER NOT NULL DEFAULT 0",),
    # The messages that show a tournament, like those of tables, with its number below 0 in place of a table's
    # id. Once its end has been shown, only that message is left.
    (
        """CREATE TABLE tournament_messages (
            table_id INTEGER NOT NULL,
            key TEXT NOT NULL,
            channel INTEGER NOT NULL,
            message INTEGER NOT NULL,
            shown TEXT,
            PRIMARY KEY (table_id, key)
        ) WITHOUT ROWID""",
    ),
    # When a table closed at which no deal was finished: a day later it is deleted. No deal takes fewer moves.
    (
        "ALTER TABLE tables ADD COLUMN unplayed_since REAL",
        """UPDATE tables SET unplayed_since = opened_at WHERE state = 'stopped' AND NOT damaged
            AND conduct NOT LIKE '%"tournament"%'
            AND (SELECT COUNT(*) FROM moves WHERE table_id = tables.id) < 40""",
        "CREATE INDEX tables_unplayed ON tables (unplayed_since) WHERE unplayed_since IS NOT NULL",
    ),
    # Each person's time zone by its name. Of those with quiet hours only how far their clock was from UTC was
    # known, which stays what it is until they choose their zone.
    (
        "ALTER TABLE preferences ADD COLUMN zone TEXT",
        """INSERT INTO preferences (person, calls, forced, zone)
            SELECT person, 'late', 'known', CASE utc_offset
                WHEN 210 THEN 'Asia/Tehran' WHEN 330 THEN 'Asia/Kolkata'
                ELSE 'Etc/GMT' || printf('%+d', -utc_offset / 60) END
            FROM call_wishes WHERE quiet_from IS NOT NULL
            ON CONFLICT (person) DO UPDATE SET zone = excluded.zone""",
        "ALTER TABLE call_wishes DROP COLUMN utc_offset",
    ),
    # Whom the operator has blocked.
    ("CREATE TABLE blocked (key BLOB NOT NULL, hash BLOB NOT NULL)",),
    # People who delete everything in a tournament, like those who do on a day whose cards they have seen.
    (
        "ALTER TABLE daily_seen RENAME TO deleted_players",
        "ALTER TABLE deleted_players RENAME COLUMN day TO occasion",
    ),
    # What each game counts on leaderboards: of games alone by their length, of ranked ones as for ratings,
    # which are computed again at the start, as there are no standings.
    (
        "ALTER TABLE results ADD COLUMN weight REAL NOT NULL DEFAULT 1.0",
        """UPDATE results SET weight = CASE deals WHEN 0 THEN 0.0 WHEN 1 THEN 0.01 WHEN 2 THEN 0.05
            WHEN 3 THEN 0.5 ELSE 1.0 END""",
        "ALTER TABLE standings ADD COLUMN weight REAL NOT NULL DEFAULT 0.0",
        "ALTER TABLE standings ADD COLUMN counted_wins REAL NOT NULL DEFAULT 0.0",
        "ALTER TABLE standings ADD COLUMN counted_points REAL NOT NULL DEFAULT 0.0",
        "ALTER TABLE standings ADD COLUMN counted_deals REAL NOT NULL DEFAULT 0.0",
        "DELETE FROM standings",
    ),
    # Whether people tap a card twice to play it; the colours, letters and order of the cards in their hands.
    (
        "ALTER TABLE preferences ADD COLUMN taps_twice INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE preferences ADD COLUMN two_colours INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE preferences ADD COLUMN letters TEXT NOT NULL DEFAULT 'JQK'",
        "ALTER TABLE preferences ADD COLUMN suits TEXT NOT NULL DEFAULT 'CDSH'",
    ),
)
