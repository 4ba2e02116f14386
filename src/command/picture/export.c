/* `trace export`: a launch in the format of another viewer. All other forms of `trace` are streams (dump/dump_streams.c). */
#include "command/picture/export.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/xalloc.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "debug/ground/scan.h"

#define INSTRUCTIONS_MOST 200000u /* of an export; the file says where it ends */
#define USAGE "usage: trace export perfetto|konata|aerialvision FILE [launch N] [core N] [warp A..B] [cycle C..D]"

bool picture_take_range(const char **s, uint64_t *low, uint64_t *high)
{
	char *end;
	const char *at = scan_blanks(*s);
	*low = strtoull(at, &end, 0);
	if (*at < '0' || *at > '9' || strncmp(end, "..", 2) || end[2] < '0' || end[2] > '9')
		return false;
	*high = strtoull(end + 2, &end, 0);
	*s = end;
	return *high >= *low && (!*end || *end == ' ' || *end == '\t');
}

static bool take_number(const char **s, uint64_t *v)
{
	*s = scan_blanks(*s);
	return scan_u64(s, v) && *v <= UINT32_MAX;
}

bool picture_parse(const char *s, struct picture_wanted *w)
{
	uint64_t a, b;
	const size_t n = strcspn(s, " \t");
	*w = (struct picture_wanted){.core = -1, .high = CORE_WARPS_MAX, .last = UINT64_MAX};
	if (!n)
		return false;
	w->file = xstrndup(s, n);
	for (s = scan_blanks(s + n); *s; s = scan_blanks(s)) {
		if (scan_word(&s, "launch") && take_number(&s, &a)) {
			w->has_launch = true;
			w->launch = (uint32_t)a;
		} else if (scan_word(&s, "core") && take_number(&s, &a)) {
			w->core = (int64_t)a;
		} else if (scan_word(&s, "warp") && picture_take_range(&s, &a, &b) && b < CORE_WARPS_MAX) {
			w->low = (uint32_t)a;
			w->high = (uint32_t)b;
		} else if (scan_word(&s, "cycle") && picture_take_range(&s, &w->first, &w->last)) {
			w->has_cycles = true;
		} else {
			return false;
		}
	}
	return true;
}

/* Compresses a text as gzip does. Returns false if zlib fails. */
static bool compress_text(const struct text *in, struct text *out)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)text_str(in), .avail_in = (uInt)in->n};
	unsigned char piece[65536];
	int status = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	if (status != Z_OK)
		return false;
	do {
		z.next_out = piece;
		z.avail_out = sizeof piece;
		status = deflate(&z, Z_FINISH);
		text_addn(out, (const char *)piece, sizeof piece - z.avail_out);
	} while (status == Z_OK);
	deflateEnd(&z);
	return status == Z_STREAM_END;
}

static bool write_samples(struct interpreter *in, const struct picture_wanted *w)
{
	struct text log = {0}, packed = {0};
	bool ok = export_aerialvision(debug_gpu(in->dbg), w->first, w->last, &log) ||
		  interpreter_error(in, "trace export: there are no samples: performance mode takes them (`set samples`)");
	ok = ok && (compress_text(&log, &packed) || interpreter_error(in, "trace export: zlib failed")) && interpreter_write_file(in, w->file, &packed);
	if (ok)
		interpreter_printf(in, "Wrote %s.\n", w->file);
	text_free(&log);
	text_free(&packed);
	return ok;
}

static bool write_flights(struct interpreter *in, struct picture_wanted *w, void (*format)(const struct flights *, struct text *), bool requests)
{
	struct debug *d = in->dbg;
	struct flights f;
	struct text out = {0}, why = {0};
	uint64_t first, last;
	if (!w->has_launch && !picture_longest_launch(d, &w->launch))
		return interpreter_error(in, "trace export: no launch ran in performance mode");
	bool ok = picture_span(d, w->launch, &first, &last, &why) && picture_cycles(w->launch, &first, &last, w->first, w->last, &why) &&
		  picture_core(d, w->core, &why);
	flights_begin(&f, d, w->core, first, last);
	f.low = w->low;
	f.high = w->high;
	f.most = INSTRUCTIONS_MOST;
	f.wants_requests = requests;
	ok = ok && flights_record(session_history(in->session), &f, 1, w->launch, &why);
	if (ok)
		format(&f, &out);
	ok = ok ? interpreter_write_file(in, w->file, &out) : interpreter_error(in, "%s", text_str(&why));
	if (ok)
		interpreter_printf(in, "Wrote %s: %zu instructions%s.\n", w->file, f.n,
				   f.is_cut ? ", where a file of this size ends; name cycles with cycle C..D" : "");
	flights_free(&f);
	text_free(&out);
	text_free(&why);
	return ok;
}

bool command_trace_or_export(struct interpreter *in, const char *args)
{
	const char *s = scan_blanks(args);
	struct picture_wanted w = {0};
	if (!scan_word(&s, "export"))
		return answer_ask(in, command_trace, args);
	s = scan_blanks(s);
	const bool perfetto = scan_word(&s, "perfetto"), konata = !perfetto && scan_word(&s, "konata"), aerialvision = !perfetto && !konata && scan_word(&s, "aerialvision");
	bool ok = (perfetto || konata || aerialvision) && picture_parse(scan_blanks(s), &w);
	if (!ok)
		interpreter_error(in, USAGE);
	else if (!interpreter_may_reach(in, w.file))
		ok = false;
	else if (aerialvision)
		ok = write_samples(in, &w);
	else
		ok = write_flights(in, &w, perfetto ? export_perfetto : export_konata, perfetto);
	free(w.file);
	return ok;
}
