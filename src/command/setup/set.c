/* `set`: assigns to what a program has, or to a setting, which is then applied. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/stalls.h"
#include "command/findings/findings.h"
#include "command/inspect.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/interpreter/logging.h"
#include "command/program/program.h"
#include "command/setup/apply_settings.h"
#include "debug/ground/ground.h"
#include "exec/tensor.h"
#include "gpu/input.h"
#include "gpu/statistics/timelapse.h"

static const char *const tensor_roundings[EXEC_TENSORS + 1] = {"auto", "exact", "volta", "turing", "ampere", "ada", "hopper", "blackwell"};

void settings_follow_device(struct interpreter *in)
{
	const uint32_t now = gpu_tensor_rounding(in->dbg->g);
	if (now == in->tensor_rounding)
		return;
	in->tensor_rounding = now;
	setting_replace(in, SETTING_TENSOR_ROUNDING, tensor_roundings[now]);
}

/* An input of the device: going back takes it back. */
static void apply_tensor_rounding(struct interpreter *in)
{
	const char *text = setting_text(in, SETTING_TENSOR_ROUNDING);
	unsigned k = 0;
	while (k < EXEC_TENSORS && strcmp(tensor_roundings[k], text))
		k++;
	if (k == in->tensor_rounding)
		return;
	in->tensor_rounding = k;
	debug_input(in->dbg, &(struct gpu_input){.kind = GPU_INPUT_TENSOR_ROUNDING, .numbered = {k}}, NULL);
}

/* What was not set before, or to something else: a program may have changed it since. */
static bool apply_limits(struct interpreter *in)
{
	for (unsigned k = 0; k < GPU_LIMITS; k++) {
		const char *text = setting_text(in, (enum setting_id)(SETTING_LIMIT + k));
		const uint64_t value = strtoull(text, NULL, 0);
		struct text why = {0};
		if (!*text || in->limits[k] == value + 1)
			continue;
		const bool ok = debug_limit_set(in->dbg, k, value, &why);
		if (ok)
			in->limits[k] = value + 1;
		else
			interpreter_error(in, "%s", text_str(&why));
		text_free(&why);
		if (!ok)
			return false;
	}
	return true;
}

/* Reads the setting samples. Returns false if its value is bad. */
static bool samples_interval(const char *s, uint32_t *interval)
{
	char *end;
	if (!strcmp(s, "on") || !strcmp(s, "off")) {
		*interval = s[1] == 'n' ? TIMELAPSE_INTERVAL : 0;
		return true;
	}
	const unsigned long long v = strtoull(s, &end, 0);
	*interval = (uint32_t)v;
	return *s >= '0' && *s <= '9' && !*end && v && v < (1u << 30);
}

/* Tells the device the interval of time-lapse samples if the setting has changed. Returns false, with the error printed, if its value is bad. */
static bool apply_samples(struct interpreter *in)
{
	uint32_t interval;
	const uint64_t was = in->samples ? in->samples - 1 : TIMELAPSE_INTERVAL;
	if (!samples_interval(setting_text(in, SETTING_SAMPLES), &interval)) {
		interpreter_error(in, "set samples: bad value '%s', expected on, off or a number of cycles", setting_text(in, SETTING_SAMPLES));
		char old[24];
		snprintf(old, sizeof old, "%llu", (unsigned long long)was);
		setting_replace(in, SETTING_SAMPLES, was == TIMELAPSE_INTERVAL ? "on" : was ? old : "off");
		return false;
	}
	if (interval == was)
		return true;
	debug_input(in->dbg, &(struct gpu_input){.kind = GPU_INPUT_SAMPLES, .numbered = {interval}}, NULL);
	in->samples = interval + 1u;
	return true;
}

void settings_apply_check(struct interpreter *in)
{
	findings_apply_settings(in->dbg, !strcmp(setting_text(in, SETTING_CHECK_ACTION), "stop"),
			     setting_is_on(in, SETTING_CHECK_LEAKS),
			     !strcmp(setting_text(in, SETTING_CHECK_RACE), "strict"));
}

/* Read when it is another one. */
static bool apply_suppress(struct interpreter *in)
{
	struct text why = {0};
	const char *path = setting_text(in, SETTING_CHECK_SUPPRESS);
	const bool ok = !strcmp(path, in->suppress_file ? in->suppress_file : "") ||
			suppress_read_file(in->dbg, path, &why);
	free(in->suppress_file);
	in->suppress_file = xstrdup(path);
	if (!ok)
		interpreter_error(in, "set check-suppress: %s", text_str(&why));
	text_free(&why);
	return ok;
}

/* 512M */
static bool size_of(const char *s, uint64_t *bytes)
{
	static const char units[] = "KMG";
	char *end;
	if (*s < '0' || *s > '9')
		return false;
	*bytes = strtoull(s, &end, 0);
	const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
	const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	if (*end && (!unit || end[1]))
		return false;
	if (*bytes >> (44 - shift))
		return false;
	*bytes <<= shift;
	return true;
}

#define MEMORY_LEAST (UINT64_C(16) << 20)

/* The value it had comes back: 512M, or bytes. */
static void keep_memory(struct interpreter *in, uint64_t bytes)
{
	struct text t = {0};
	const bool whole = !(bytes & ((UINT64_C(1) << 20) - 1));
	text_addf(&t, "%llu%s", (unsigned long long)(whole ? bytes >> 20 : bytes), whole ? "M" : "");
	setting_replace(in, SETTING_HISTORY_MEMORY, text_str(&t));
	text_free(&t);
}

/* Returns false, with the error printed, if a value is bad; the old value then stays. */
static bool apply_history(struct interpreter *in)
{
	struct history *h = session_history(in->session);
	uint64_t bytes;
	if (!size_of(setting_text(in, SETTING_HISTORY_MEMORY), &bytes) || bytes < MEMORY_LEAST) {
		interpreter_error(in, "set history-memory: bad value '%s', expected a size like 512M, 16M at least",
			   setting_text(in, SETTING_HISTORY_MEMORY));
		keep_memory(in, history_memory(h));
		return false;
	}
	if (bytes != history_memory(h))
		history_set_memory(h, bytes);
	history_record(h, setting_is_on(in, SETTING_HISTORY));
	return true;
}

void settings_record_history(struct interpreter *in)
{
	setting_replace(in, SETTING_HISTORY, "on");
	apply_history(in);
}

static void apply_settings(struct interpreter *in)
{
	struct debug_settings *s = debug_settings(in->dbg);
	const char *source = setting_text(in, SETTING_SOURCE);
	debug_lines_set(in->dbg, !strcmp(source, "ptx")	  ? DEBUG_LINES_PTX
				: !strcmp(source, "cuda") ? DEBUG_LINES_CUDA
							  : DEBUG_LINES_AUTO);
	s->print_elements = (uint32_t)setting_number(in, SETTING_ELEMENTS);
	s->print_address = setting_is_on(in, SETTING_ADDRESS);
	s->print_pretty = setting_is_on(in, SETTING_PRETTY);
	s->print_repeats = (uint32_t)setting_number(in, SETTING_REPEATS);
	s->list_lines = (uint32_t)setting_number(in, SETTING_LISTSIZE);
	s->table_rows = (uint32_t)setting_number(in, SETTING_ROWS);
	const char *launch = setting_text(in, SETTING_BREAK_ON_LAUNCH),
		   *pending = setting_text(in, SETTING_BREAKPOINT_PENDING);
	s->break_on_launch = !strcmp(launch, "all")	      ? DEBUG_LAUNCHES_ALL
			     : !strcmp(launch, "application") ? DEBUG_LAUNCHES_APPLICATION
							      : DEBUG_LAUNCHES_NONE;
	s->pending = !strcmp(pending, "on")    ? DEBUG_PENDING_ON
		     : !strcmp(pending, "off") ? DEBUG_PENDING_OFF
					       : DEBUG_PENDING_AUTO;
	s->breaks_on_exit = setting_is_on(in, SETTING_BREAK_ON_EXIT);
	const char *const locking = setting_text(in, SETTING_SCHEDULER_LOCKING);
	s->locking = !strcmp(locking, "on") ? DEBUG_LOCKING_ON : !strcmp(locking, "step") ? DEBUG_LOCKING_STEP : DEBUG_LOCKING_OFF;
	s->steps_stop_all = !strcmp(setting_text(in, SETTING_STEP_STOPS), "all");
	stalls_set(in->dbg, setting_is_on(in, SETTING_STALLS));
	s->demangle = setting_is_on(in, SETTING_DEMANGLE);
	settings_apply_check(in);
	apply_tensor_rounding(in);
	debug_hold_printf(in->dbg, setting_is_on(in, SETTING_PRINTF_FIFO));
	program_follow(in);
	snprintf(s->source_path, sizeof s->source_path, "%s", setting_text(in, SETTING_SOURCE_PATH));
}

bool settings_apply(struct interpreter *in)
{
	apply_settings(in);
	program_apply_args(in);
	return apply_history(in) && apply_limits(in) && apply_samples(in) && apply_suppress(in) && logging_apply(in);
}

/* gdb's words that aren't settings of their own: `set logging on`, and several values of one setting. *ok: the result. Returns false for other
 * words. */
static bool set_special(struct interpreter *in, const char *args, bool *ok)
{
	const size_t n = strcspn(args, " \t");
	const char *rest = args + n + strspn(args + n, " \t");
	if (n == 15 && !memcmp(args, "substitute-path", n))
		*ok = set_substitute_path(in, rest);
	else if (n == 7 && !memcmp(args, "logging", n) && (!*rest || !strcmp(rest, "on") || !strcmp(rest, "off")))
		*ok = command_set(in, strcmp(rest, "off") ? "logging-enabled on" : "logging-enabled off");
	else
		return false;
	return true;
}

bool command_set(struct interpreter *in, const char *args)
{
	if (!*args)
		return interpreter_error(in, "usage: set LVALUE = EXPR, or set SETTING VALUE");
	if ((!strncmp(args, "var", 3) && isblank((unsigned char)args[3])) ||
	    (!strncmp(args, "variable", 8) && isblank((unsigned char)args[8]))) {
		size_t n = strcspn(args, " \t");
		return answer_ask(in, command_set_var, args + n + strspn(args + n, " \t"));
	}
	if (assign_is_assignment(in->dbg, args))
		return answer_ask(in, command_set_var, args);
	bool known, ok;
	if (set_special(in, args, &ok))
		return ok;
	settings_follow_device(in);
	ok = setting_set(in, args, &known);
	if (!known && strchr(args, '='))
		return answer_ask(in, command_set_var, args); /* which says what is wrong with the expression */
	if (!known)
		return setting_unknown(in, args, "; `show` lists them, `set LVALUE = EXPR` assigns");
	return ok && settings_apply(in);
}

/* gdb's word for the folders of sources: one more in front, without arguments none. */
bool command_directory(struct interpreter *in, const char *args)
{
	struct text path = {0};
	const char *old = setting_text(in, SETTING_SOURCE_PATH);
	bool known;
	text_add(&path, "source-path ");
	if (*args)
		text_addf(&path, "%s%s%s", args, *old ? ":" : "", old);
	bool ok = setting_set(in, text_str(&path), &known);
	text_free(&path);
	apply_settings(in);
	interpreter_printf(in, "Source directories searched: %s\n", setting_text(in, SETTING_SOURCE_PATH));
	return ok;
}
