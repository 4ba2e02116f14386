#include "sweep/database.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char schema[] = "BEGIN;"
			     "CREATE TABLE IF NOT EXISTS jobs(id INTEGER PRIMARY KEY, host TEXT, version TEXT, status INTEGER, seconds REAL, command TEXT NOT NULL);"
			     "CREATE TABLE IF NOT EXISTS options(job INTEGER NOT NULL REFERENCES jobs(id), name TEXT NOT NULL, value TEXT NOT NULL);"
			     "CREATE TABLE IF NOT EXISTS statistics(job INTEGER NOT NULL REFERENCES jobs(id), launch INTEGER, kernel TEXT, name TEXT NOT NULL,"
			     " value NUMERIC NOT NULL);"
			     "CREATE INDEX IF NOT EXISTS options_by_job ON options(job);"
			     "CREATE INDEX IF NOT EXISTS statistics_by_name ON statistics(name, job);"
			     "CREATE INDEX IF NOT EXISTS statistics_by_job ON statistics(job);"
			     "COMMIT;";

_Noreturn static void give_up(sqlite3 *db)
{
	const char *name = sqlite3_db_filename(db, "main");
	fprintf(stderr, "error: %s: %s\n", name ? name : "database", sqlite3_errmsg(db));
	exit(1);
}

sqlite3 *database_open(const char *path, bool create)
{
	sqlite3 *db = NULL;
	int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
	int wrong = sqlite3_open_v2(path, &db, flags, NULL);
	if (!wrong)
		wrong = sqlite3_busy_timeout(db, 10000);
	if (!wrong && create)
		wrong = sqlite3_exec(db, schema, NULL, NULL, NULL);
	if (!wrong)
		wrong = sqlite3_exec(db, "SELECT id, host, version, status, seconds, command FROM jobs LIMIT 0;"
					 "SELECT job, name, value FROM options LIMIT 0;"
					 "SELECT job, launch, kernel, name, value FROM statistics LIMIT 0;",
				     NULL, NULL, NULL);
	if (!wrong)
		return db;
	fprintf(stderr, "error: %s: %s; expected a file that `warpstep-sweep run` made\n", path, db ? sqlite3_errmsg(db) : "out of memory");
	sqlite3_close(db);
	return NULL;
}

sqlite3_stmt *database_prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *s;
	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL))
		give_up(db);
	return s;
}

void database_execute(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		give_up(db);
}

bool database_step(sqlite3 *db, sqlite3_stmt *s)
{
	int r = sqlite3_step(s);
	if (r != SQLITE_ROW && r != SQLITE_DONE)
		give_up(db);
	return r == SQLITE_ROW;
}

struct job_counts database_counts(sqlite3 *db)
{
	sqlite3_stmt *s = database_prepare(db, "SELECT count(*), count(*) FILTER (WHERE status = 0), count(*) FILTER (WHERE status <> 0) FROM jobs");
	database_step(db, s);
	struct job_counts c = { .all = sqlite3_column_int64(s, 0), .done = sqlite3_column_int64(s, 1), .failed = sqlite3_column_int64(s, 2) };
	c.waiting = c.all - c.done - c.failed;
	sqlite3_finalize(s);
	return c;
}
