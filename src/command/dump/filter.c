/* `core N` and `warp N` after the tables of `info`. */
#include <ctype.h>
#include <string.h>

#include "command/dump/dump_info.h"
#include "debug/ground/scan.h"
#include "command/info.h"

bool info_filter_scan(struct debug *d, const char *args, bool bare_core, struct info_filter *f, struct text *why)
{
	const struct exec *x = gpu_exec(d->g);
	*f = (struct info_filter){0};
	for (const char *s = scan_blanks(args); *s; s = scan_blanks(s)) {
		if (scan_word(&s, "core") || (bare_core && isdigit((unsigned char)*s))) {
			if (f->has_core)
				return debug_fail(why, "one core, or all: core N");
			if (!dump_number(&s, "core", x->n_cores, &f->core, why))
				return false;
			f->has_core = true;
		} else if (scan_word(&s, "warp")) {
			if (f->has_warp)
				return debug_fail(why, "one warp of a core, or all: warp N");
			if (!dump_number(&s, "warp", x->warps_per_core, &f->warp, why))
				return false;
			f->has_warp = true;
		} else {
			return debug_fail(why, "%.*s: which rows to show is said by %score N, warp N or both",
					  (int)strcspn(s, " \t"), s, bare_core ? "N, " : "");
		}
	}
	return true;
}

void info_no_warps(const struct info_filter *f, struct text *out)
{
	if (!f->has_core && !f->has_warp) {
		text_add(out, "No warps: no block is on a core now.\n");
		return;
	}
	text_add(out, "No ");
	text_add(out, f->has_warp ? "warp" : "warps");
	if (f->has_warp)
		text_addf(out, " %u", f->warp);
	if (f->has_core)
		text_addf(out, " on core %u now.\n", f->core);
	else
		text_add(out, " on a core now.\n");
}

void info_close_rows(struct report *answer, const struct info_filter *f)
{
	struct text none = {0};
	info_no_warps(f, &none);
	report_instead(answer, "%s", text_str(&none));
	report_close(answer);
	text_free(&none);
}
