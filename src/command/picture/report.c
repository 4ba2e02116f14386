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
#include "base/version.h"

#define WINDOWS 3u
#define WINDOW 160u	  /* cycles of a window that the report chooses */
#define WINDOW_MOST 2000u /* of one that the user names */

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

/* Adds the list `occupancy`, a member for each kernel that was launched. */
static void kernels(struct interpreter *in, struct report *page)
{
	struct gpu_launch_info info;
	struct debug *d = in->dbg;
	bool *done = xcalloc(debug_program(d)->n_functions + 1u, sizeof *done);
	report_list(page, "occupancy");
	for (uint32_t k = 0; gpu_launch_get(d->g, k, &info); k++) {
		const uint32_t f = info.launch.function;
		if (done[f])
			continue;
		done[f] = true;
		report_open(page, NULL);
		report_number(page, "threads", info.launch.threads_per_cta);
		block_sizes(in, &info.launch, page);
		report_close(page);
	}
	report_close(page);
	free(done);
}

static void window(struct history *h, uint32_t launch, uint32_t core, uint64_t first, uint64_t last, struct report *page)
{
	struct flights f;
	struct text why = {0};
	flights_begin(&f, history_debug(h), core, first, last);
	report_open(page, NULL);
	report_number(page, "core", core);
	report_number(page, "first_cycle", first);
	report_number(page, "last_cycle", last);
	if (flights_record(h, &f, launch, &why))
		flights_describe(&f, page);
	else
		report_text(page, "error", text_str(&why));
	report_close(page);
	flights_free(&f);
	text_free(&why);
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

/* Adds what comes from running the launch again. */
static void again(struct interpreter *in, const struct request *q, struct report *page)
{
	struct history *h = session_history(in->session);
	struct whole w;
	struct text why = {0};
	uint64_t first[WINDOWS];
	uint32_t core = 0;
	report_open(page, "again");
	report_number(page, "launch", q->launch);
	const bool ok = whole_record(h, &w, q->launch, &why);
	if (!ok) {
		report_text(page, "error", text_str(&why));
	} else {
		whole_describe_warps(&w, page);
		whole_describe_lines(&w, page);
		whole_describe_accesses(&w, page);
		if (w.stalls)
			report_move(page, "stalls", w.stalls);
		unsigned n = whole_windows(&w, WINDOW, first, WINDOWS, &core);
		qsort(first, n, sizeof *first, by_cycle);
		if (q->has_cycles) {
			n = 1;
			first[0] = q->first;
		}
		report_list(page, "windows");
		for (unsigned k = 0; k < n; k++) {
			const uint64_t last = q->has_cycles ? q->last : first[k] + WINDOW - 1,
				       most = first[k] + (q->has_cycles ? WINDOW_MOST : WINDOW) - 1;
			window(h, q->launch, core, first[k], last < most ? last : most, page);
		}
		report_close(page);
	}
	report_close(page);
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

static void collect(struct interpreter *in, struct request *q, struct report *page)
{
	struct debug *d = in->dbg;
	const bool has_cycles = choose_launch(d, q);
	report_text(page, "version", WARPSTEP_VERSION);
	report_number(page, "launch", q->launch);
	reasons(page);
	ask(in, page, "summary", "stats summary");
	ask(in, page, "launches", "info launches");
	ask(in, page, "statistics", "stats");
	kernels(in, page);
	answer(d, page, "program", describe_program);
	ask(in, page, "allocations", "info allocations");
	if (gpu_machine_timing(d->g)) {
		answer(d, page, "machine", info_machine);
		answer(d, page, "samples", info_samples);
	}
	if (has_cycles)
		again(in, q, page);
}

bool command_report(struct interpreter *in, const char *args)
{
	struct request q = {0};
	bool ok = parse(in, args, &q);
	if (ok) {
		struct report *page = report_create();
		struct text out = {0};
		collect(in, &q, page);
		add_page(page, &out);
		ok = interpreter_write_file(in, q.file, &out);
		if (ok)
			interpreter_printf(in, "Wrote %s, %zu bytes.\n", q.file, out.n);
		report_destroy(page);
		text_free(&out);
	}
	free(q.file);
	return ok;
}
