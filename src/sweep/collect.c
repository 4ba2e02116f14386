#include "sweep/collect.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "sweep/database.h"
#include "sweep/job.h"
#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void remove_file(const char *folder, int64_t id, const char *suffix)
{
	struct text t = { 0 };
	job_path(&t, folder, id, suffix);
	unlink(text_str(&t));
	text_free(&t);
}

static json_t *read_object(const char *folder, int64_t id, const char *suffix)
{
	struct text t = { 0 };
	job_path(&t, folder, id, suffix);
	json_t *object = json_load_file(text_str(&t), 0, NULL);
	text_free(&t);
	return object;
}

/* Stores the numbers of one object. `kernel` is NULL for the run as a whole. */
static void store_numbers(sqlite3 *db, sqlite3_stmt *s, int64_t id, int64_t launch, const char *kernel, json_t *object)
{
	const char *name;
	json_t *value;
	json_object_foreach(object, name, value) {
		if (!json_is_number(value))
			continue;
		sqlite3_reset(s);
		sqlite3_clear_bindings(s);
		sqlite3_bind_int64(s, 1, id);
		if (kernel) {
			sqlite3_bind_int64(s, 2, launch);
			sqlite3_bind_text(s, 3, kernel, -1, SQLITE_TRANSIENT);
		}
		sqlite3_bind_text(s, 4, name, -1, SQLITE_TRANSIENT);
		if (json_is_integer(value))
			sqlite3_bind_int64(s, 5, json_integer_value(value));
		else
			sqlite3_bind_double(s, 5, json_real_value(value));
		database_step(db, s);
	}
}

/* Stores what `stats --json` wrote: its numbers, and those of each launch. */
static void store_statistics(sqlite3 *db, int64_t id, json_t *stats)
{
	sqlite3_stmt *s = database_prepare(db, "INSERT INTO statistics(job, launch, kernel, name, value) VALUES(?, ?, ?, ?, ?)");
	store_numbers(db, s, id, 0, NULL, stats);
	size_t i;
	json_t *launch;
	json_array_foreach(json_object_get(stats, "kernels"), i, launch) {
		const char *kernel = json_string_value(json_object_get(launch, "kernel"));
		store_numbers(db, s, id, json_integer_value(json_object_get(launch, "launch")), kernel ? kernel : "",
			      json_object_get(launch, "statistics"));
	}
	sqlite3_finalize(s);
}

/* Stores one job. Returns false if its files hold no result. */
static bool store_job(sqlite3 *db, const char *folder, int64_t id)
{
	json_t *done = read_object(folder, id, "done");
	const char *host, *version;
	int status;
	double seconds;
	if (!done || json_unpack(done, "{s:s, s:s, s:i, s:F}", "host", &host, "version", &version, "status", &status, "seconds", &seconds)) {
		json_decref(done);
		return false;
	}
	json_t *stats = status ? NULL : read_object(folder, id, "stats");
	if (!status && !json_is_object(stats))
		status = 1; /* the run ended well and wrote no statistics: a script of the user's ended it */
	sqlite3_stmt *s = database_prepare(db, "UPDATE jobs SET host = ?, version = ?, status = ?, seconds = ? WHERE id = ?");
	sqlite3_bind_text(s, 1, host, -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(s, 2, version, -1, SQLITE_TRANSIENT);
	sqlite3_bind_int(s, 3, status);
	sqlite3_bind_double(s, 4, seconds);
	sqlite3_bind_int64(s, 5, id);
	database_step(db, s);
	sqlite3_finalize(s);
	s = database_prepare(db, "DELETE FROM statistics WHERE job = ?");
	sqlite3_bind_int64(s, 1, id);
	database_step(db, s);
	sqlite3_finalize(s);
	if (!status) {
		store_statistics(db, id, stats);
		remove_file(folder, id, "out");
	}
	json_decref(stats);
	json_decref(done);
	return true;
}

/* Returns the job's number in a name ID.done, or 0. */
static int64_t id_of(const char *name)
{
	char *end;
	int64_t id = strtoll(name, &end, 10);
	return end != name && !strcmp(end, ".done") ? id : 0;
}

size_t collect_results(sqlite3 *db, const char *folder)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return 0;
	int64_t *ids = NULL;
	size_t n = 0, cap = 0, stored = 0;
	for (struct dirent *e; (e = readdir(dir));) {
		int64_t id = id_of(e->d_name);
		if (id <= 0)
			continue;
		ids = xgrow(ids, &cap, n + 1, sizeof *ids);
		ids[n++] = id;
	}
	closedir(dir);
	if (n)
		database_execute(db, "BEGIN IMMEDIATE");
	for (size_t i = 0; i < n; i++)
		stored += store_job(db, folder, ids[i]);
	if (n)
		database_execute(db, "COMMIT");
	for (size_t i = 0; i < n; i++) {
		remove_file(folder, ids[i], "stats");
		remove_file(folder, ids[i], "job");
		remove_file(folder, ids[i], "done"); /* last: until then the next collection stores the job again */
	}
	free(ids);
	return stored;
}
