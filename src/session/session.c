#include "session/session.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "base/pages.h"
#include "base/xalloc.h"
#include "debug/checkpoint.h"
#include "gpu/config/capability.h"
#include "gpu/config/config_timing.h"
#include "gpu/gpu.h"
#include "gpu/rewind/restore.h"
#include "timing/icnt/icnt.h"

#define FACES_MAX 8u

struct session {
	struct debug *d;
	struct config *config;
	struct timing_config *timing;
	const struct session_face *face[FACES_MAX]; /* the oldest first */
	unsigned n_faces;
	const struct session_face *asking; /* the face for which a command runs; NULL: none */
	volatile sig_atomic_t interrupt, due;
	struct history *history;
	struct machine_limits limits; /* of the device, if the session has chosen them */
	const struct files *files;
};

/* ---- inputs ---- */

int64_t session_input(struct session *s, const struct gpu_input *in, struct text *why)
{
	const int64_t result = history_input(s->history, in, why);
	history_told(s->history); /* the face knows the input, so it can't be reversed unnoticed */
	return result;
}

struct history *session_history(const struct session *s) { return s->history; }

const struct files *session_files(const struct session *s) { return s->files; }

/* ---- what the debugger calls ---- */

static int64_t input(void *self, const struct gpu_input *in, struct text *why)
{
	const struct session *s = self;
	return history_input(s->history, in, why);
}

static void output(void *self, const char *text, size_t n)
{
	struct session *s = self;
	for (unsigned k = s->n_faces; k-- > 0;)
		if (s->face[k]->output && s->face[k]->output(s->face[k]->self, text, n))
			return;
}

static void print(void *self, const char *text, size_t n)
{
	struct session *s = self;
	for (unsigned k = s->n_faces; k-- > 0;)
		if (s->face[k]->text && s->face[k]->text(s->face[k]->self, text, n))
			return;
}

static void note(void *self, const char *line)
{
	const struct session *s = self;
	for (unsigned k = s->n_faces; k-- > 0;)
		if (s->face[k] != s->asking && s->face[k]->note && s->face[k]->note(s->face[k]->self, line))
			return;
}

static void report(void *self, const char *lines)
{
	const struct session *s = self;
	for (unsigned k = s->n_faces; k-- > 0;)
		if (s->face[k]->report && s->face[k]->report(s->face[k]->self, lines))
			return;
}

static void kernel_done(void *self)
{
	const struct session *s = self;
	for (unsigned k = 0; k < s->n_faces; k++)
		if (s->face[k]->kernel_done)
			s->face[k]->kernel_done(s->face[k]->self);
}

void session_note(struct session *s, const char *line) { note(s, line); }

static void progress(void *self)
{
	struct session *s = self;
	s->due = 0;
	for (unsigned k = 0; k < s->n_faces; k++)
		if (s->face[k]->progress)
			s->face[k]->progress(s->face[k]->self);
}

/* ---- making ---- */

static void attach_debugger(struct session *s, struct gpu *g)
{
	const struct debug_host host = {.self = s,
					.output = output,
					.text = print,
					.input = input,
					.note = note,
					.report = report,
					.kernel_done = kernel_done,
					.files = s->files,
					.interrupt = &s->interrupt,
					.due = &s->due,
					.progress = progress};
	s->d = debug_create(g, &host);
	s->history = history_create(s->d, &s->interrupt);
}

/* Reads the device model, and for performance mode its timing. If the setup names no mode, the model's own mode is used. */
static void read_config(struct config *c, const struct session_setup *o, const struct text *path, bool *performance,
			struct timing_config *timing, struct diag_list *diags)
{
	if (o->found_config)
		config_load_found(c, o->found_config, o->config, diags);
	else if (path->n)
		config_load_file(c, text_str(path), diags);
	else
		config_load_capability(c, o->config, diags);
	for (size_t i = 0; i < o->n_options; i++)
		config_set_text(c, o->options[i], diags);
	const bool finished =
		config_finish(c, diags) && config_fits(c, o->limits ? o->limits : machine_limits_of_host(), diags);
	*performance = o->mode == SESSION_MODE_OF_CONFIG ? !config_int(c, "gpgpu_ptx_sim_mode")
							 : o->mode == SESSION_PERFORMANCE;
	if (finished && *performance && !diags->n_errors)
		config_timing(c, timing, diags);
}

static void add_messages(const struct diag_list *diags, struct text *messages)
{
	for (size_t i = 0; i < diags->n; i++)
		diag_format(messages, &diags->v[i]);
	if (diags->n_errors > diags->limit)
		text_addf(messages, "error: %zu more errors\n", diags->n_errors - diags->limit);
}

static bool configure(struct session *s, const struct session_setup *o, bool *performance, struct text *messages)
{
	struct diag_list diags;
	struct text path = {0}, missing = {0};
	diag_list_init(&diags);
	diags.limit = 20; /* a file that is no config has an error on every line */
	if (!o->found_config && !config_find(o->files, o->config, &path)) {
		text_clear(&path);
		if (!config_is_capability(o->config)) {
			config_missing(o->config, &missing);
			diag_add(&diags, DIAG_ERROR, NULL, 0, 0, NULL, 0, "%s", text_str(&missing));
		}
	}
	config_set_name(s->config, o->config);
	read_config(s->config, o, &path, performance, s->timing, &diags);
	add_messages(&diags, messages);
	const bool ok = !diags.n_errors;
	diag_list_free(&diags);
	text_free(&path);
	text_free(&missing);
	return ok;
}

#define SPARE (UINT64_C(128) << 20) /* address space left for files, tables, threads */
#define HISTORY_PAGES \
	(UINT64_C(512) << 20) /* address space for pages of history, in addition to machine_limits.saved */

/* Returns the address space, in bytes, that a device has to leave for all else; with_history: including copies of small sections for history
 * (base/arena_marks.c). */
static uint64_t spare_bytes(struct gpu *g, bool with_history)
{
	const struct arena *a = gpu_arena(g);
	uint64_t bytes = SPARE;
	for (unsigned k = 0; with_history && k < a->n; k++)
		bytes += a->section[k].kind == ARENA_HOT ? a->section[k].reserved : 0;
	if (with_history)
		bytes += gpu_exec(g)->limits->saved + HISTORY_PAGES;
	return bytes;
}

static bool has_spare_addresses(struct gpu *g, bool with_history)
{
	const uint64_t bytes = spare_bytes(g, with_history);
	void *p = pages_reserve(bytes);
	pages_free(p, bytes);
	return p;
}

/* Creates the device of a configuration. Returns NULL with the reason in `why`; `why` stays empty if the address space is too small. */
static struct gpu *create_device(const struct session *s, const struct session_setup *o, bool performance,
				 const struct machine_limits *limits, struct text *why)
{
	struct diag_list diags;
	diag_list_init(&diags);
	struct gpu *g = NULL;
	if (!config_fits(s->config, limits, &diags))
		text_add(why, diags.n ? diags.v[0].message : "the configuration is not possible here");
	else
		g = performance ? gpu_create_performance(s->config, s->timing, o->isa_level, limits, why)
				: gpu_create(s->config, o->isa_level, limits);
	diag_list_free(&diags);
	return g;
}

/* Returns whether the creation of a device failed because a reservation is too small or was refused. */
static bool lacks_address_space(const struct text *why)
{
	static const char begins[] = "no room for ";
	return !why->n || !strncmp(why->s, begins, sizeof begins - 1);
}

/* Creates the device with the largest reservations that leave address space for all else. Returns NULL if none fit, or for another reason. */
static struct gpu *create_device_within(struct session *s, const struct session_setup *o, bool performance,
					bool with_history, struct text *why)
{
	const uint64_t file_most = o->shares_memory ? machine_limits_file_most() : UINT64_MAX;
	for (unsigned step = 0; machine_limits_step(step, file_most, &s->limits); step++) {
		text_clear(why);
		struct gpu *g = create_device(s, o, performance, &s->limits, why);
		if (g ? has_spare_addresses(g, with_history) : !lacks_address_space(why))
			return g;
		gpu_destroy(g);
	}
	return NULL;
}

/* Creates the device; uses smaller reservations, and notes this in `messages`, if this process may not use as much memory as the host has. */
static struct gpu *create_device_that_fits(struct session *s, const struct session_setup *o, bool performance,
					   struct text *messages, struct text *why)
{
	struct gpu *g = create_device_within(s, o, performance, true, why);
	const bool with_history = g || !lacks_address_space(why);
	if (!with_history)
		g = create_device_within(s, o, performance, false, why);
	if (g && s->limits.device_end < machine_limits_of_host()->device_end) {
		text_addf(messages, "note: device memory ends at 0x%llx", (unsigned long long)s->limits.device_end);
		machine_limits_blame(messages);
		text_add(messages, "\n");
	}
	if (g && !with_history) {
		text_addf(messages, "note: going back in time may need %llu KB of address space",
			  (unsigned long long)((machine_limits_in_use() + spare_bytes(g, true)) >> 10));
		machine_limits_blame(messages);
		text_add(messages, "\n");
	}
	return g;
}

static struct gpu *make_device(struct session *s, const struct session_setup *o, struct text *messages,
			       enum session_failure *failure)
{
	bool performance;
	struct text why = {0};
	*failure = SESSION_BAD_SETUP;
	if (!configure(s, o, &performance, messages))
		return NULL;
	struct gpu *g = o->limits ? create_device(s, o, performance, o->limits, &why)
				  : create_device_that_fits(s, o, performance, messages, &why);
	/* a model that can't be built is a wrong configuration; too little memory isn't */
	*failure = g ? SESSION_OK : why.n ? SESSION_BAD_SETUP : SESSION_NO_ROOM;
	if (!g && lacks_address_space(&why)) {
		if (!why.n)
			text_add(&why, "can't reserve the address space of the simulated machine");
		machine_limits_blame(&why);
	}
	if (!g)
		text_addf(messages, "error: %s\n", text_str(&why));
	text_free(&why);
	return g;
}

struct session *session_create(const struct session_setup *o, struct text *messages, enum session_failure *failure)
{
	struct session *s = xcalloc(1, sizeof *s);
	s->files = o->files;
	s->config = config_create();
	config_set_files(s->config, s->files);
	s->timing = xcalloc(1, sizeof *s->timing);
	struct gpu *g = make_device(s, o, messages, failure);
	if (!g) {
		session_destroy(s);
		return NULL;
	}
	gpu_set_host_clock(g, o->clock);
	attach_debugger(s, g);
	return s;
}

static void free_timing(struct timing_config *t)
{
	if (t)
		icnt_config_free(t->icnt);
	free(t);
}

void session_destroy(struct session *s)
{
	history_free(s->history);
	if (s->d)
		debug_destroy(s->d);
	free_timing(s->timing);
	config_free(s->config);
	free(s);
}

/* ---- another device ---- */

struct session_exchange {
	struct gpu_aside *old;
	struct config *config;	      /* of the new device; NULL: the session's device has none */
	struct timing_config *timing; /* NULL: the device is made for functional mode, or has no configuration */
	bool is_same;		      /* true if both devices are of the same kind */
};

static void free_exchange(struct session_exchange *x)
{
	free_timing(x->timing);
	if (x->config)
		config_free(x->config);
	free(x);
}

static bool is_same_kind(const struct session *s, const struct config *c, bool performance)
{
	const struct gpu *g = debug_gpu(s->d);
	const struct config *own = gpu_config(g);
	return !c == !own && (!own || config_is_same(own, c)) && gpu_made_for_performance(g) == performance;
}

static bool decode_config(struct session *s, struct session_exchange *x, bool performance, struct text *why)
{
	struct diag_list diags;
	if (!x->config)
		return true;
	diag_list_init(&diags);
	x->timing = performance ? xcalloc(1, sizeof *x->timing) : NULL;
	const bool ok = config_fits(x->config, gpu_exec(debug_gpu(s->d))->limits, &diags) &&
			(!x->timing || config_timing(x->config, x->timing, &diags)) && !diags.n_errors;
	if (!ok)
		text_add(why, diags.n_errors ? diags.v[0].message : "its configuration is not possible here");
	diag_list_free(&diags);
	return ok;
}

struct session_exchange *session_exchange_begin(struct session *s, struct config *config, bool performance,
						struct text *why)
{
	struct gpu *g = debug_gpu(s->d);
	struct session_exchange *x = xcalloc(1, sizeof *x);
	if (config)
		config_set_files(config, s->files);
	if (config && gpu_config(g))
		config_keep_outputs(config, gpu_config(g));
	*x = (struct session_exchange){.config = config, .is_same = is_same_kind(s, config, performance)};
	if (!config && !x->is_same)
		text_add(why, "it is of another kind of device");
	else if (decode_config(s, x, performance, why))
		x->old = gpu_set_aside(g, config, config ? x->timing : gpu_made_timing(g), why);
	if (x->old)
		return x;
	if (!why->n) {
		text_add(why, "can't reserve the address space of the simulated machine");
		machine_limits_blame(why);
	}
	free_exchange(x);
	return NULL;
}

void session_exchange_drop(struct session *s, struct session_exchange *x)
{
	gpu_exchange(debug_gpu(s->d), x->old);
	gpu_aside_free(debug_gpu(s->d), x->old);
	free_exchange(x);
}

/* Ends the session's use of the old device while that device is in its place again. */
void session_exchange_keep(struct session *s, struct session_exchange *x)
{
	gpu_exchange(debug_gpu(s->d), x->old);
	history_record(s->history, false);
	debug_leave_device(s->d, x->is_same);
	gpu_exchange(debug_gpu(s->d), x->old);
	gpu_aside_free(debug_gpu(s->d), x->old);
	debug_enter_device(s->d, x->is_same);
	if (x->config) {
		free_timing(s->timing);
		config_free(s->config);
		s->timing = x->timing;
		s->config = x->config;
		x->timing = NULL;
		x->config = NULL;
	}
	free_exchange(x);
}

struct debug *session_debug(const struct session *s) { return s->d; }
volatile sig_atomic_t *session_interrupt(struct session *s) { return &s->interrupt; }
volatile sig_atomic_t *session_due(struct session *s) { return &s->due; }

/* ---- faces ---- */

void session_attach(struct session *s, const struct session_face *face)
{
	assert(s->n_faces < FACES_MAX);
	s->face[s->n_faces++] = face;
}

void session_detach(struct session *s, const struct session_face *face)
{
	unsigned n = 0;
	for (unsigned k = 0; k < s->n_faces; k++)
		if (s->face[k] != face)
			s->face[n++] = s->face[k];
	s->n_faces = n;
}

/* Returns whether `to` is notified of what face `by` does: all faces except `by` and the face for which a command runs. */
static bool is_news(const struct session *s, const struct session_face *by, const struct session_face *to)
{
	return to != by && to != s->asking;
}

#define EACH_OTHER(s, by, f) \
	for (unsigned k_ = 0; k_ < (s)->n_faces; k_++) \
		for (const struct session_face *f = (s)->face[k_]; f && is_news(s, by, f); f = NULL)

static void report_running(struct session *s, const struct session_face *by, bool on)
{
	EACH_OTHER(s, by, f)
	if (f->running)
		f->running(f->self, on);
}

void session_begin_run(struct session *s, const struct session_face *by) { report_running(s, by, true); }
void session_end_run(struct session *s, const struct session_face *by) { report_running(s, by, false); }

void session_report_stop(struct session *s, const struct session_face *by, const struct debug_stop *stop)
{
	EACH_OTHER(s, by, f)
	if (f->stopped)
		f->stopped(f->self, stop);
}

void session_say(struct session *s, const struct session_face *by, const char *line)
{
	EACH_OTHER(s, by, f)
	if (f->said)
		f->said(f->self, line);
}

void session_report_killed(struct session *s, const struct session_face *by)
{
	EACH_OTHER(s, by, f)
	if (f->killed)
		f->killed(f->self);
}

void session_report_detached(struct session *s, const struct session_face *by)
{
	EACH_OTHER(s, by, f)
	if (f->detached)
		f->detached(f->self);
}

const struct session_face *session_set_asking(struct session *s, const struct session_face *by)
{
	const struct session_face *before = s->asking;
	s->asking = by;
	return before;
}

bool session_listen(struct session *s, const char *where, struct text *out, struct text *why)
{
	for (unsigned k = 0; k < s->n_faces; k++)
		if (s->face[k]->listen)
			return s->face[k]->listen(s->face[k]->self, where, out, why);
	text_add(why, "there is no gdb server in this program");
	return false;
}

static const struct session_face *active_face(const struct session *s, const struct session_face *by)
{
	EACH_OTHER(s, by, f)
	if (f->active && f->active(f->self))
		return f;
	return NULL;
}

bool session_others_active(const struct session *s, const struct session_face *by)
{
	return active_face(s, by) != NULL;
}

void session_wait(struct session *s, const struct session_face *by, int fd)
{
	const struct session_face *f = active_face(s, by);
	if (f && f->wait)
		f->wait(f->self, fd);
}

bool session_done(const struct session *s)
{
	for (unsigned k = 0; k < s->n_faces; k++)
		if (s->face[k]->done && s->face[k]->done(s->face[k]->self))
			return true;
	return false;
}
