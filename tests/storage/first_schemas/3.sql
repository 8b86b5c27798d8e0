CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    host INTEGER NOT NULL,
    first INTEGER,
    rules TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('lobby', 'playing', 'over', 'stopped')),
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
    lowest INTEGER NOT NULL,
    won INTEGER NOT NULL,
    points INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    moons INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE INDEX results_by_guild ON results (guild, game, lowest, person);
CREATE TABLE messages (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (table_id, key)
) WITHOUT ROWID;
CREATE TABLE house_rules (
    guild INTEGER NOT NULL,
    name TEXT NOT NULL,
    rules TEXT NOT NULL,
    author INTEGER NOT NULL,
    PRIMARY KEY (guild, name)
) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO tables (id, guild, channel, host, first, rules, state, opened_at) VALUES
(1, 1, 11, 101, NULL, '{"preset": "classic", "players": 4, "options": {"ends_at": 12}}', 'over', 1763700000.0),
(2, 1, 12, 102, NULL, '{"preset": "cancellation", "players": 5, "options": {"ends_at": 12}}', 'over', 1763700000.0),
(3, 1, 13, 103, NULL, '{"preset": "classic", "players": 4, "options": {"jack_of_diamonds": true}}', 'playing', 1763700000.0),
(4, 1, 14, 102, NULL, '{"preset": "chinese", "players": 4, "options": {}}', 'lobby', 1763700000.0);
INSERT INTO seats (table_id, seat, person, name, away) VALUES
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
(4, 0, 102, 'Bo', 0);
INSERT INTO results (table_id, seat, guild, person, name, game, lowest, won, points, deals, moons) VALUES
(1, 0, 1, 101, 'Ann', 'classic', 1, 1, 1, 1, 0),
(1, 1, 1, 102, 'Bo', 'classic', 1, 0, 5, 1, 0),
(2, 0, 1, 102, 'Bo', 'cancellation', 0, 1, 21, 1, 0),
(2, 1, 1, 103, 'Cy', 'cancellation', 0, 0, 0, 1, 0);
INSERT INTO messages (table_id, key, channel, message) VALUES
(3, 'board', 13, 9001);
INSERT INTO house_rules (guild, name, rules, author) VALUES
(1, 'Fridays', '{"preset": "classic", "players": 4, "options": {"ends_at": 50}}', 101);
INSERT INTO settings (name, value) VALUES
('commands synced', 'abc');
PRAGMA user_version = 1;
