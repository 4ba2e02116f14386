/* `diagram ... svg FILE`: an execution diagram as a picture: warps down, cycles across, coloured by what each warp waits for. All other forms of `diagram`
 * are text (dump/dump_diagram.c). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/picture/export.h"
#include "debug/ground/scan.h"
#include "debug/view/source.h"

#define CYCLES_MOST 4000u
#define LABEL 120u /* pixels in front of the rows */
#define ROW 16u
#define CYCLE 8u /* pixels */

/* Okabe and Ito's colours, which colour-blind readers tell apart; as in page.js. */
static const char *const colours[WAIT_COUNT] = {
	[WAIT_GONE] = "none",	    [WAIT_DONE] = "#cfcfcf",	   [WAIT_BARRIER] = "#f0e442", [WAIT_MEMBAR] = "#b8a200",  [WAIT_ATOMIC] = "#8f4a77",
	[WAIT_IMISS] = "#7a7a7a",   [WAIT_FETCH] = "#b0b0b0",	   [WAIT_FLUSH] = "#4d4d4d",   [WAIT_SCOREBOARD] = "#d55e00", [WAIT_PIPE] = "#e69f00",
	[WAIT_READY] = "#56b4e9",   [WAIT_LATENCY] = "#0072b2",    [WAIT_DISPATCH] = "#cc79a7"};
#define ISSUED "#009e73"

static void escaped(const char *s, struct text *out)
{
	for (; *s; s++)
		switch (*s) {
		case '<': text_add(out, "&lt;"); break;
		case '>': text_add(out, "&gt;"); break;
		case '&': text_add(out, "&amp;"); break;
		case '"': text_add(out, "&quot;"); break;
		default: text_addc(out, *s);
		}
}

struct svg {
	const struct flights *f;
	uint32_t row[CORE_WARPS_MAX]; /* of a warp slot, from 1; 0: it has none */
	uint32_t rows;
	bool is_used[WAIT_COUNT];
	struct text *out;
};

static void number_rows(struct svg *s)
{
	bool has[CORE_WARPS_MAX] = {false};
	for (size_t k = 0; k < s->f->n; k++)
		has[s->f->v[k].warp] = true;
	for (size_t k = 0; k < s->f->n_waits; k++)
		has[s->f->wait[k].warp] = true;
	for (uint32_t warp = 0; warp < CORE_WARPS_MAX; warp++)
		if (has[warp])
			s->row[warp] = ++s->rows;
}

static void rectangle(struct svg *s, uint32_t warp, uint64_t first, uint64_t end, const char *colour, const char *title)
{
	const uint64_t from = first > s->f->first ? first : s->f->first, to = end < s->f->last + 1 ? end : s->f->last + 1;
	if (from >= to)
		return;
	text_addf(s->out, "<rect x=\"%" PRIu64 "\" y=\"%u\" width=\"%" PRIu64 "\" height=\"%u\" fill=\"%s\"><title>", LABEL + (from - s->f->first) * CYCLE,
		  (s->row[warp] - 1) * ROW + 1, (to - from) * CYCLE, ROW - 2, colour);
	escaped(title, s->out);
	text_add(s->out, "</title></rect>\n");
}

static void draw_rows(struct svg *s)
{
	for (uint32_t warp = 0; warp < CORE_WARPS_MAX; warp++)
		if (s->row[warp])
			text_addf(s->out, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">warp %u</text>\n", LABEL - 8, s->row[warp] * ROW - 4, warp);
	for (size_t k = 0; k < s->f->n_waits; k++) {
		const struct flight_wait *w = &s->f->wait[k];
		s->is_used[w->wait] = true;
		rectangle(s, w->warp, w->first, w->end, colours[w->wait], warp_wait_texts[w->wait]);
	}
	for (size_t k = 0; k < s->f->n; k++) {
		const struct flight *v = &s->f->v[k];
		struct text title = {0};
		text_addf(&title, "cycle %" PRIu64 ": ", v->at[FLIGHT_ISSUE]);
		debug_insn_shown(s->f->d, v->pc, &title);
		rectangle(s, v->warp, v->at[FLIGHT_ISSUE], v->at[FLIGHT_ISSUE] + 1, ISSUED, text_str(&title));
		text_free(&title);
	}
}

static void draw_axis(struct svg *s)
{
	for (uint64_t cycle = (s->f->first + 9) / 10 * 10; cycle <= s->f->last; cycle += 10)
		text_addf(s->out, "<text x=\"%" PRIu64 "\" y=\"%u\">%" PRIu64 "</text>\n", LABEL + (cycle - s->f->first) * CYCLE, s->rows * ROW + 14, cycle);
}

static void legend_row(struct svg *s, unsigned *n, const char *colour, const char *text)
{
	const unsigned y = s->rows * ROW + 26 + *n * ROW;
	text_addf(s->out, "<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%u\" y=\"%u\">", LABEL, y, colour, LABEL + 18, y + 10);
	escaped(text, s->out);
	text_add(s->out, "</text>\n");
	++*n;
}

/* Appends the picture. */
static void draw(const struct flights *f, struct text *out)
{
	struct svg s = {.f = f, .out = out};
	struct text inside = {0};
	unsigned n = 0;
	number_rows(&s);
	s.out = &inside;
	draw_rows(&s);
	draw_axis(&s);
	legend_row(&s, &n, ISSUED, "issues an instruction");
	for (unsigned k = WAIT_GONE + 1; k < WAIT_COUNT; k++)
		if (s.is_used[k])
			legend_row(&s, &n, colours[k], warp_wait_texts[k]);
	const uint64_t width = LABEL + (f->last - f->first + 1) * CYCLE + 20, height = s.rows * ROW + 30 + n * ROW;
	text_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu64 "\" height=\"%" PRIu64 "\" viewBox=\"0 0 %" PRIu64 " %" PRIu64 "\">\n", width,
		  height > 60 ? height : 60, width, height > 60 ? height : 60);
	text_add(out, "<style>svg { background: #fff } text { font: 11px sans-serif; fill: #222 } @media (prefers-color-scheme: dark) { svg { background: #14181d } text { fill: #e8ecf0 } }</style>\n");
	text_addf(out, "<title>core %u, cycles %" PRIu64 " to %" PRIu64 "</title>\n", (unsigned)f->core, f->first, f->last);
	text_add(out, text_str(&inside));
	text_add(out, "</svg>\n");
	text_free(&inside);
}

/* Finds `svg` among the words of the arguments. Returns NULL if it is none of them. */
static const char *find_svg(const char *args)
{
	for (const char *s = scan_blanks(args); *s; s = scan_blanks(s + strcspn(s, " \t"))) {
		const char *rest = s;
		if (scan_word(&rest, "svg"))
			return s;
	}
	return NULL;
}

static bool write_picture(struct interpreter *in, const char *args)
{
	struct picture_wanted w;
	struct debug *d = in->dbg;
	struct text why = {0}, out = {0};
	uint64_t first, last;
	struct flights f = {.d = d};
	bool ok = picture_parse(args, &w) || interpreter_error(in, "usage: diagram [launch N] [warp A..B] [cycle C..D] [core N] svg FILE");
	ok = ok && interpreter_may_reach(in, w.file);
	if (ok && !w.has_launch && !picture_longest_launch(d, &w.launch))
		ok = interpreter_error(in, "diagram: no launch ran in performance mode");
	ok = ok && ((picture_span(d, w.launch, &first, &last, &why) && picture_cycles(w.launch, &first, &last, w.first, w.last, &why) &&
		     picture_core(d, w.core, &why)) ||
		    interpreter_error(in, "diagram: %s", text_str(&why)));
	if (ok) {
		flights_begin(&f, d, w.core < 0 ? 0 : w.core, first, last - first < CYCLES_MOST ? last : first + CYCLES_MOST - 1);
		f.low = w.low;
		f.high = w.high;
		ok = flights_record(session_history(in->session), &f, 1, w.launch, &why) || interpreter_error(in, "%s", text_str(&why));
	}
	if (ok) {
		draw(&f, &out);
		ok = interpreter_write_file(in, w.file, &out);
	}
	if (ok)
		interpreter_printf(in, "Wrote %s: core %u, cycles %" PRIu64 " to %" PRIu64 ".\n", w.file, (unsigned)f.core, f.first, f.last);
	flights_free(&f);
	free(w.file);
	text_free(&out);
	text_free(&why);
	return ok;
}

bool command_diagram_or_svg(struct interpreter *in, const char *args)
{
	const char *svg = find_svg(args);
	if (!svg)
		return answer_ask(in, command_diagram, args);
	/* the file first, then the other words, as picture_parse reads them */
	struct text words = {0};
	text_add(&words, scan_blanks(svg + 3));
	text_addc(&words, ' ');
	text_addn(&words, args, (size_t)(svg - args));
	const bool ok = write_picture(in, text_str(&words));
	text_free(&words);
	return ok;
}
