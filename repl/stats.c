/* `stats`: what the device has counted, on the screen or as a JSON file. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "debug/inspect.h"
#include "gpu/statistics.h"
#include "repl/json.h"

static void put(void *object, const char *name, struct statistic_value v)
{
	json_object_set_new(object, name, v.whole ? json_integer((json_int_t)v.n) : json_real(v.real));
}

static json_t *dimensions(const uint32_t *n) { return json_pack("[iii]", n[0], n[1], n[2]); }

static const char *state_name(enum gpu_launch_state s)
{
	switch (s) {
	case GPU_LAUNCH_QUEUED: return "queued";
	case GPU_LAUNCH_RUNNING: return "running";
	case GPU_LAUNCH_DONE: return "done";
	case GPU_LAUNCH_FAILED: return "failed";
	default: return "killed";
	}
}

static json_t *launch_object(struct gpu *g, uint32_t id, const struct gpu_launch_info *l)
{
	json_t *o = json_object(), *figures = json_object();
	json_object_set_new(o, "launch", json_integer(id));
	json_object_set_new(o, "kernel", json_string(gpu_program(g)->functions[l->launch.function]->name));
	json_object_set_new(o, "state", json_string(state_name(l->state)));
	json_object_set_new(o, "grid", dimensions(l->launch.grid));
	json_object_set_new(o, "block", dimensions(l->launch.block));
	json_object_set_new(o, "stream", json_integer(gpu_stream_shown(l->launch.stream)));
	gpu_statistics_each(g, id, put, figures);
	json_object_set_new(o, "statistics", figures);
	return o;
}

/* Figures of all by name, and after them "kernels": an object for each launch. */
static json_t *all(struct gpu *g)
{
	json_t *o = json_object(), *kernels = json_array();
	struct gpu_launch_info l;
	gpu_statistics_each(g, STATISTICS_TOTAL, put, o);
	for (uint32_t k = 0; gpu_launch_get(g, k, &l); k++)
		json_array_append_new(kernels, launch_object(g, k, &l));
	json_object_set_new(o, "kernels", kernels);
	return o;
}

static bool to_file(struct repl *r, const char *path)
{
	if (!*path)
		return repl_error(r, "usage: stats --json FILE");
	json_t *o = all(debug_gpu(r->dbg));
	char *s = json_dumps(o, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	struct text json = {0};
	text_add(&json, s ? s : "{}");
	text_addc(&json, '\n');
	const bool ok = json_write(r, path, &json);
	text_free(&json);
	free(s);
	json_decref(o);
	return ok;
}

/* Beside the line, not in it: scripts read `name = value`. */
static void add_note(struct repl *r, const char *name)
{
	struct text note = {0};
	text_add(&note, "note: ");
	if (gpu_statistics_note(debug_gpu(r->dbg), name, &note)) {
		text_addc(&note, '\n');
		repl_complain(r, text_str(&note));
	}
	text_free(&note);
}

bool cmd_stats(struct repl *r, const char *args)
{
	if (!strncmp(args, "--json", 6) && strchr(" \t", args[6]))
		return to_file(r, args + 6 + strspn(args + 6, " \t"));
	if (!repl_run_text(r, debug_cmd_stats, args))
		return false;
	add_note(r, args);
	return true;
}
