/* `info stream-buffers`: the streams of each core. */
#include "command/dump/dump_info.h"
#include "command/info.h"
#include "debug/ground/scan.h"
#include "timing/ldst/ldst.h"

static void add_streams(const struct core *c, bool is_write, struct report *answer)
{
	struct stream_view v;
	for (uint32_t k = 0; ldst_get_stream(c, is_write, k, &v); k++) {
		report_row(answer, false);
		report_number(answer, NULL, c->id);
		report_textf(answer, NULL, "%s %u", is_write ? "write" : "read", k);
		report_hex(answer, NULL, v.next);
		report_number(answer, NULL, v.buffered);
		report_number(answer, NULL, v.left);
	}
}

static void add_flight(const struct core *c, struct report *answer)
{
	report_open(answer, NULL);
	report_number(answer, "core", c->id);
	report_number(answer, "reads", ldst_streams_in_flight(c, false));
	report_number(answer, "writes", ldst_streams_in_flight(c, true));
	report_line(answer, "core {core}: {reads} read{reads|s} and {writes} write{writes|s} in flight\n");
	report_close(answer);
}

bool info_stream_buffers(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Core", "<Stream", "Next address", "Buffered", "Left"};
	struct timing *t = scan_end(args, why) ? observer_timing(d, "info stream-buffers", why) : NULL;
	if (!t)
		return false;
	if (!ldst_has_streams(&t->core[0])) {
		report_say(answer, "The machine has no stream buffers; -gpgpu_stream_buffers 1 gives it some.\n");
		return true;
	}
	report_table(answer, "streams", titles, 5);
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++) {
		add_streams(&t->core[k], false, answer);
		add_streams(&t->core[k], true, answer);
	}
	report_instead(answer, "No block has begun.\n");
	report_close(answer);
	report_list(answer, "in_flight");
	for (uint32_t k = 0; k < t->cfg->core.n_cores; k++)
		add_flight(&t->core[k], answer);
	report_close(answer);
	return true;
}
