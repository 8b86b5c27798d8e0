-- What each of the five versions of the first schema wrote, but for the moves.
-- A line that ends in "-- 2 to 4" is of those versions alone.
CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    host INTEGER NOT NULL,
    first INTEGER,  -- 3 to 5
    rules TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('lobby', 'playing', 'over', 'stopped')),
    pace TEXT NOT NULL,  -- 4 to 5
    paused INTEGER NOT NULL,  -- 5 to 5
    timer TEXT NOT NULL,  -- 4 to 5
    notice TEXT NOT NULL,  -- 4 to 5
    opened_at REAL NOT NULL
);
CREATE UNIQUE INDEX one_live_table_a_channel ON tables (channel)
    WHERE state IN ('lobby', 'playing');
CREATE TABLE seats (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    person INTEGER,
    name TEXT NOT NULL,
    away INTEGER NOT NULL,
    missed INTEGER NOT NULL,  -- 4 to 5
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE TABLE moves (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    move TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE results (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    guild INTEGER NOT NULL,
    person INTEGER NOT NULL,
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    lowest INTEGER NOT NULL,  -- 2 to 5
    won INTEGER NOT NULL,
    points INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    moons INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX results_by_guild ON results (guild, game, person);  -- 1 to 1
CREATE INDEX results_by_guild ON results (guild, game, lowest, person);  -- 2 to 5
CREATE TABLE messages (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (table_id, key)
) WITHOUT ROWID;
CREATE TABLE house_rules (  -- 2 to 5
    guild INTEGER NOT NULL,  -- 2 to 5
    name TEXT NOT NULL,  -- 2 to 5
    rules TEXT NOT NULL,  -- 2 to 5
    author INTEGER NOT NULL,  -- 2 to 5
    PRIMARY KEY (guild, name)  -- 2 to 5
) WITHOUT ROWID;  -- 2 to 5
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO tables (id, guild, channel, host, rules, state, opened_at) SELECT * FROM (VALUES  -- 1 to 2
INSERT INTO tables (id, guild, channel, host, rules, state, opened_at, first) SELECT *, NULL FROM (VALUES  -- 3 to 3
INSERT INTO tables (id, guild, channel, host, rules, state, opened_at, first, pace, timer, notice) SELECT *, NULL, 'none', 'null', 'null' FROM (VALUES  -- 4 to 4
INSERT INTO tables (id, guild, channel, host, rules, state, opened_at, first, pace, timer, notice, paused) SELECT *, NULL, 'none', 'null', 'null', 0 FROM (VALUES  -- 5 to 5
(1, 1, 11, 101, '{"preset": "classic", "players": 4, "options": {"ends_at": 12}}', 'over', 1763700000.0),
(2, 1, 12, 102, '{"preset": "cancellation", "players": 5, "options": {"ends_at": 12}}', 'over', 1763700000.0),
(3, 1, 13, 103, '{"preset": "classic", "players": 4, "options": {"jack_of_diamonds": true}}', 'playing', 1763700000.0),
(4, 1, 14, 102, '{"preset": "chinese", "players": 4, "options": {}}', 'lobby', 1763700000.0));
UPDATE tables SET pace = 'daily' WHERE id = 3;  -- 4 to 5
UPDATE tables SET timer = '{"deadline": 1763786400.0, "limit": 86400.0, "reminded": false}' WHERE id = 3;  -- 4 to 5
UPDATE tables SET notice = '{"number": 1, "kind": "left", "seats": [1]}' WHERE id = 3;  -- 4 to 4
UPDATE tables SET notice = '{"number": 1, "kind": "left", "seats": [1], "deadline": 1763786400.0}' WHERE id = 3;  -- 5 to 5
UPDATE tables SET timer = '{"deadline": 1763703600.0, "limit": 3600.0, "reminded": true}' WHERE id = 4;  -- 4 to 5
INSERT INTO seats (table_id, seat, person, name, away) SELECT * FROM (VALUES  -- 1 to 3
INSERT INTO seats (table_id, seat, person, name, away, missed) SELECT *, 0 FROM (VALUES  -- 4 to 5
(1, 0, 101, 'Ann', 0),
(1, 1, 102, 'Bo', 0),
(1, 2, NULL, 'Computer 1', 0),
(1, 3, NULL, 'Computer 2', 0),
(2, 0, 102, 'Bo', 0),
(2, 1, 103, 'Cy', 0),
(2, 2, NULL, 'Computer 1', 0),
(2, 3, NULL, 'Computer 2', 0),
(2, 4, NULL, 'Computer 3', 0),
(3, 0, 103, 'Cy', 0),
(3, 1, 101, 'Ann', 1),
(3, 2, NULL, 'Computer 1', 0),
(3, 3, NULL, 'Computer 2', 0),
(4, 0, 102, 'Bo', 0));
INSERT INTO results (table_id, seat, guild, person, name, game, won, points, deals, moons) SELECT * FROM (VALUES  -- 1 to 1
INSERT INTO results (table_id, seat, guild, person, name, game, won, points, deals, moons, lowest)  -- 2 to 5
SELECT *, column6 = 'classic' FROM (VALUES  -- 2 to 5
(1, 0, 1, 101, 'Ann', 'classic', 1, 1, 1, 0),  -- 1 to 4
(1, 1, 1, 102, 'Bo', 'classic', 0, 5, 1, 0),  -- 1 to 4
(2, 0, 1, 102, 'Bo', 'cancellation', 1, 21, 1, 0),  -- 1 to 4
(2, 1, 1, 103, 'Cy', 'cancellation', 0, 0, 1, 0));  -- 1 to 4
(1, 0, 1, 101, 'Ann', 'classic', 0, 19, 1, 0),  -- 5 to 5
(1, 1, 1, 102, 'Bo', 'classic', 0, 6, 1, 0),  -- 5 to 5
(2, 0, 1, 102, 'Bo', 'cancellation', 0, 15, 1, 0),  -- 5 to 5
(2, 1, 1, 103, 'Cy', 'cancellation', 1, 23, 1, 0));  -- 5 to 5
INSERT INTO messages (table_id, key, channel, message) VALUES
(3, 'board', 13, 9001);
INSERT INTO house_rules (guild, name, rules, author) VALUES  -- 2 to 5
(1, 'Fridays', '{"preset": "classic", "players": 4, "options": {"ends_at": 50}}', 101);  -- 2 to 5
INSERT INTO settings (name, value) VALUES
('commands synced', 'abc');
PRAGMA user_version = 1;
