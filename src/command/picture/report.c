/* `report FILE.html`: a page about the launches so far. It holds the answers of commands as JSON, and a script that draws them; the page's own text is in
 * page.html, page.css and page.js. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/info.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/picture/export.h"
#include "command/picture/page.h"
#include "command/picture/picture.h"
#include "debug/ground/scan.h"
#include "gpu/statistics/timelapse.h"
#include "base/version.h"

#define WINDOWS 3u
#define WINDOW 160u	  /* cycles of a window that the report chooses */
#define WINDOW_MOST 2000u /* of one that the user names */
/* bytes of JSON, of each part that could be of any size: together with the rest less than 3 MB */
#define STATISTICS_BYTES 250000u
#define LAUNCHES_BYTES 60000u
#define ALLOCATIONS_BYTES 60000u
#define KERNELS_BYTES 160000u
#define SAMPLES_BYTES 700000u
#define PROGRAM_BYTES 450000u
#define WARPS_BYTES 330000u
#define WINDOWS_BYTES 450000u
#define INSTRUCTIONS_MOST 1500u /* with figures, of about 200 bytes each */

static const char page_html[] =
#include "page.html.inc"
	;
static const char page_css[] =
#include "page.css.inc"
	;
static const char page_js[] =
#include "page.js.inc"
	;

struct request {
	char *file;
	bool has_launch, has_cycles;
	uint32_t launch;
	uint64_t first, last;
};

/* ---- arguments ---- */

#define USAGE "usage: report FILE.html [launch N] [cycle C..D]"

static bool parse(struct interpreter *in, const char *args, struct request *q)
{
	const char *s = scan_blanks(args);
	const size_t n = strcspn(s, " \t");
	if (!n)
		return interpreter_error(in, USAGE);
	q->file = xstrndup(s, n);
	for (s = scan_blanks(s + n); *s; s = scan_blanks(s)) {
		uint64_t v = 0;
		if (scan_word(&s, "launch")) {
			s = scan_blanks(s);
			if (!scan_u64(&s, &v) || v > UINT32_MAX)
				return interpreter_error(in, USAGE);
			q->has_launch = true;
			q->launch = (uint32_t)v;
		} else if (scan_word(&s, "cycle")) {
			s = scan_blanks(s);
			q->has_cycles = picture_take_range(&s, &q->first, &q->last);
			if (!q->has_cycles)
				return interpreter_error(in, USAGE);
		} else {
			return interpreter_error(in, USAGE);
		}
	}
	return true;
}

/* Chooses the launch with the most cycles in performance mode, else the last one, unless the user named one. Returns whether it has cycles. */
static bool choose_launch(struct debug *d, struct request *q)
{
	struct text why = {0};
	uint64_t first, last;
	const uint32_t n = gpu_launch_count(d->g);
	if (!q->has_launch && picture_longest_launch(d, &q->launch))
		return true;
	if (!q->has_launch)
		q->launch = n ? n - 1 : 0;
	const bool has_cycles = picture_span(d, q->launch, &first, &last, &why);
	text_free(&why);
	return has_cycles;
}

/* Checks that the launch which the user names is there, and has some of the cycles that the user names. Returns false after an error. */
static bool check_request(struct interpreter *in, struct request *q)
{
	struct debug *d = in->dbg;
	struct gpu_launch_info info;
	struct text why = {0};
	uint64_t first = 0, last = 0;
	bool ok = true;
	choose_launch(d, q);
	if (q->has_launch && !gpu_launch_get(d->g, q->launch, &info))
		ok = interpreter_error(in, "report: there is no launch %u", q->launch);
	else if (q->has_cycles && !(picture_span(d, q->launch, &first, &last, &why) && picture_cycles(q->launch, &first, &last, q->first, q->last, &why)))
		ok = interpreter_error(in, "report: %s", text_str(&why));
	text_free(&why);
	return ok;
}

/* ---- sections ---- */

/* Adds the answer of a command as an object. */
static void ask(struct interpreter *in, struct report *page, const char *name, const char *command)
{
	report_open(page, name);
	interpreter_ask(in, NULL, command, page);
	report_close(page);
}

/* Adds the answer of a function as an object; if it fails, the reason. */
static void answer(struct debug *d, struct report *page, const char *name, debug_answer_fn *fn)
{
	struct text why = {0};
	report_open(page, name);
	if (!fn(d, "", page, &why))
		report_text(page, "error", text_str(&why));
	report_close(page);
	text_free(&why);
}

/* Adds the list `sizes`: the answer of `occupancy` for each size of blocks. */
static void block_sizes(struct interpreter *in, const struct exec_launch *l, struct report *page)
{
	const struct isa_function *f = debug_program(in->dbg)->functions[l->function];
	const struct allocation_rules r = gpu_allocation_rules(in->dbg->g, l->function);
	report_list(page, "sizes");
	for (uint32_t threads = LANES; threads <= r.block_threads && threads <= r.warps * LANES; threads += LANES) {
		struct text command = {0};
		text_addf(&command, "occupancy %s %u --shared %u", f->name, threads, l->shared_bytes > f->static_shared ? l->shared_bytes - f->static_shared : 0);
		ask(in, page, NULL, text_str(&command));
		text_free(&command);
	}
	report_close(page);
}

/* Adds the answer of a command; of a list in it the costliest members that fit. */
static void ask_most(struct interpreter *in, struct page *p, const char *name, const char *command, const struct page_list *l)
{
	const uint32_t rows = in->dbg->settings.table_rows;
	struct report *r = report_create();
	in->dbg->settings.table_rows = 0; /* all of them, not the latest */
	interpreter_ask(in, NULL, command, r);
	in->dbg->settings.table_rows = rows;
	report_drop(r, "result.text"); /* the same as data, drawn */
	page_keep(p, r, l);
	report_move(p->r, name, r);
	report_destroy(r);
}

/* Returns the first launch of each kernel, in memory that the caller frees. */
static uint32_t *kernels(struct debug *d, size_t *n)
{
	struct gpu_launch_info info;
	bool *done = xcalloc(debug_program(d)->n_functions + 1u, sizeof *done);
	uint32_t *first = xcalloc(debug_program(d)->n_functions + 1u, sizeof *first);
	*n = 0;
	for (uint32_t k = 0; gpu_launch_get(d->g, k, &info); k++) {
		if (!done[info.launch.function])
			first[(*n)++] = k;
		done[info.launch.function] = true;
	}
	free(done);
	return first;
}

/* Adds the list `occupancy`, a member for each of the first `most` kernels that were launched. */
static void describe_kernels(void *self, uint64_t most, struct report *page)
{
	struct interpreter *in = self;
	struct gpu_launch_info info;
	size_t n;
	uint32_t *launch = kernels(in->dbg, &n);
	report_list(page, "occupancy");
	for (size_t k = 0; k < n && k < most && gpu_launch_get(in->dbg->g, launch[k], &info); k++) {
		report_open(page, NULL);
		report_number(page, "threads", info.launch.threads_per_cta);
		block_sizes(in, &info.launch, page);
		report_close(page);
	}
	report_close(page);
	free(launch);
}

static void describe_program(void *self, uint64_t most, struct report *page)
{
	report_open(page, "program");
	picture_program(self, most, page);
	report_close(page);
}

static void describe_samples(void *self, uint64_t most, struct report *page)
{
	report_open(page, "samples");
	picture_samples(self, "", most, page);
	report_close(page);
}

static void describe_warps(void *self, uint64_t most, struct report *page) { whole_describe_warps(self, most, page); }
static void describe_window(void *self, uint64_t most, struct report *page)
{
	const struct flights *f = self;
	report_number(page, "core", (uint64_t)f->core);
	report_number(page, "first_cycle", f->first);
	flights_describe(f, most, page);
}

static void reasons(struct report *page)
{
	report_list(page, "reasons");
	for (unsigned k = 0; k < WAIT_COUNT; k++) {
		const char symbol[2] = {warp_wait_symbols[k], '\0'};
		report_open(page, NULL);
		report_text(page, "symbol", symbol);
		report_text(page, "word", warp_wait_words[k]);
		report_text(page, "text", warp_wait_texts[k]);
		report_text(page, "what_to_do", warp_wait_remedies[k]);
		report_close(page);
	}
	report_close(page);
}

static int by_cycle(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Chooses the windows of cycles whose single stages are shown, and prepares their recording. Returns their number. */
static unsigned choose_windows(struct debug *d, const struct request *q, const struct whole *w, struct flights f[WINDOWS])
{
	uint64_t first[WINDOWS];
	uint32_t core = 0;
	unsigned n = whole_windows(w, WINDOW, first, WINDOWS, &core);
	qsort(first, n, sizeof *first, by_cycle);
	if (q->has_cycles) {
		n = 1;
		first[0] = q->first;
	}
	for (unsigned k = 0; k < n; k++) {
		const uint64_t last = q->has_cycles ? q->last : first[k] + WINDOW - 1, most = first[k] + (q->has_cycles ? WINDOW_MOST : WINDOW) - 1;
		flights_begin(&f[k], d, core, first[k], last < most ? last : most);
	}
	return n;
}

static void windows(struct interpreter *in, const struct request *q, const struct whole *w, struct page *p)
{
	struct history *h = session_history(in->session);
	struct flights f[WINDOWS];
	struct text why = {0};
	const unsigned n = choose_windows(in->dbg, q, w, f);
	const bool ok = !n || flights_record(h, f, n, q->launch, &why);
	report_list(p->r, "windows");
	for (unsigned k = 0; k < n && ok; k++) {
		report_open(p->r, NULL);
		page_add(p, &(struct page_part){.section = "diagram", .what = "cycles of a window", .all = f[k].last - f[k].first + 1, .most = WINDOW_MOST,
						.bytes = WINDOWS_BYTES / n, .describe = describe_window, .self = &f[k]});
		report_close(p->r);
	}
	report_close(p->r);
	if (!ok)
		report_text(p->r, "windows_error", text_str(&why));
	for (unsigned k = 0; k < n; k++)
		flights_free(&f[k]);
	text_free(&why);
}

/* Adds what comes from running the launch again, with figures of the `shown` costliest instructions. */
static void again(struct interpreter *in, const struct request *q, uint64_t shown, struct page *p)
{
	struct whole w;
	struct text why = {0};
	report_open(p->r, "again");
	report_number(p->r, "launch", q->launch);
	if (!whole_record(session_history(in->session), &w, q->launch, &why)) {
		report_text(p->r, "error", text_str(&why));
	} else {
		bool *chosen = picture_instructions(in->dbg, shown);
		page_add(p, &(struct page_part){.section = "diagram", .what = "warp slots, those that issued most", .all = whole_warps(&w), .most = UINT64_MAX,
						.bytes = WARPS_BYTES, .describe = describe_warps, .self = &w});
		whole_describe_lines(&w, chosen, p->r);
		whole_describe_accesses(&w, p->r);
		if (w.stalls)
			report_move(p->r, "stalls", w.stalls);
		windows(in, q, &w, p);
		free(chosen);
	}
	report_close(p->r);
	whole_free(&w);
	text_free(&why);
}

/* ---- the page ---- */

/* Appends JSON for a script element: no `</` ends it early. */
static void add_json(const struct report *page, struct text *out)
{
	struct text json = {0};
	report_json(page, true, &json);
	for (const char *s = text_str(&json); *s;) {
		const size_t n = strcspn(s, "<");
		text_addn(out, s, n);
		s += n;
		if (*s) {
			text_add(out, "\\u003c");
			s++;
		}
	}
	text_free(&json);
}

/* Appends page.html with @CSS@, @JS@ and @DATA@ replaced. */
static void add_page(const struct report *page, struct text *out)
{
	for (const char *s = page_html; *s;) {
		const size_t n = strcspn(s, "@");
		text_addn(out, s, n);
		s += n;
		if (!strncmp(s, "@CSS@", 5)) {
			text_add(out, page_css);
			s += 5;
		} else if (!strncmp(s, "@JS@", 4)) {
			text_add(out, page_js);
			s += 4;
		} else if (!strncmp(s, "@DATA@", 6)) {
			add_json(page, out);
			s += 6;
		} else if (*s) {
			text_addc(out, *s++);
		}
	}
}

static void collect(struct interpreter *in, struct request *q, struct page *p)
{
	struct debug *d = in->dbg;
	static const struct page_list launches = {"result.launches", "cycles", "summary", "launches, the longest", LAUNCHES_BYTES},
				      statistics = {"result.kernels", "statistics.gpu_sim_cycle", "summary", "launches in the roofline, the longest", STATISTICS_BYTES},
				      allocations = {"result.allocations", "bytes", "memory", "allocations, the largest", ALLOCATIONS_BYTES};
	const bool has_cycles = choose_launch(d, q);
	size_t n_kernels;
	free(kernels(d, &n_kernels));
	report_text(p->r, "version", WARPSTEP_VERSION);
	report_number(p->r, "launch", q->launch);
	reasons(p->r);
	ask(in, p->r, "summary", "stats summary");
	ask_most(in, p, "launches", "info launches", &launches);
	ask_most(in, p, "statistics", "stats", &statistics);
	page_add(p, &(struct page_part){.section = "summary", .what = "kernels with a plot of their occupancy", .all = n_kernels, .most = UINT64_MAX,
					.bytes = KERNELS_BYTES, .describe = describe_kernels, .self = in});
	const uint64_t shown = page_add(p, &(struct page_part){.section = "source", .what = "instructions, the costliest", .all = picture_executed(d),
							       .most = INSTRUCTIONS_MOST, .bytes = PROGRAM_BYTES, .describe = describe_program, .self = d});
	ask_most(in, p, "allocations", "info allocations", &allocations);
	if (gpu_machine_timing(d->g)) {
		struct timelapse_view v;
		answer(d, p->r, "machine", info_machine);
		page_add(p, &(struct page_part){.section = "timelapse", .what = "samples; neighbours are added up", .all = gpu_timelapse(d->g, &v) ? v.n : 1,
						.most = UINT64_MAX, .bytes = SAMPLES_BYTES, .describe = describe_samples, .self = d});
	}
	if (has_cycles)
		again(in, q, shown, p);
	page_describe_limits(p, p->r);
}

bool command_report(struct interpreter *in, const char *args)
{
	struct request q = {0};
	bool ok = parse(in, args, &q) && check_request(in, &q);
	if (ok) {
		struct page page = {.r = report_create()};
		struct text out = {0};
		collect(in, &q, &page);
		add_page(page.r, &out);
		ok = interpreter_write_file(in, q.file, &out);
		if (ok)
			interpreter_printf(in, "Wrote %s, %zu bytes.\n", q.file, out.n);
		report_destroy(page.r);
		text_free(&out);
	}
	free(q.file);
	return ok;
}
