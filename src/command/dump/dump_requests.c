/* `trace request N`: one memory request from its birth to its end, through core, network, partition and DRAM and back. */
#include <inttypes.h>
#include <string.h>

#include "command/dump/dump_streams.h"
#include "debug/ground/scan.h"
#include "timing/ldst/ldst.h"

/* What a request does when it gets there, and the place that is named after it. */
enum place { NOWHERE, CLUSTER, SUB_PARTITION, BANK };
static const struct {
	const char *text;
	enum place place;
} words[REQUEST_STATUS_COUNT] = {
	[REQUEST_IN_L1I_MISS_QUEUE] = {"into the miss queue of the L1I", NOWHERE},
	[REQUEST_IN_L1D_MISS_QUEUE] = {"into the miss queue of the L1D", NOWHERE},
	[REQUEST_IN_L1T_MISS_QUEUE] = {"into the miss queue of the L1T", NOWHERE},
	[REQUEST_IN_L1C_MISS_QUEUE] = {"into the miss queue of the L1C", NOWHERE},
	[REQUEST_IN_ICNT_TO_MEM] = {"enters the network at cluster", CLUSTER},
	[REQUEST_IN_PARTITION_ROP_DELAY] = {"arrives, into the ROP delay of sub-partition", SUB_PARTITION},
	[REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE] = {"into the queue in front of the L2 of sub-partition", SUB_PARTITION},
	[REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE] = {"into the queue from the L2 to the DRAM", NOWHERE},
	[REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE] = {"on its way to the DRAM controller", NOWHERE},
	[REQUEST_IN_PARTITION_L2_MISS_QUEUE] = {"into the miss queue of the L2", NOWHERE},
	[REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE] = {"at the DRAM controller", NOWHERE},
	[REQUEST_IN_PARTITION_MC_INPUT_QUEUE] = {"into the DRAM scheduler's queue", NOWHERE},
	[REQUEST_IN_PARTITION_MC_BANK_ARB_QUEUE] = {"waits for bank", BANK},
	[REQUEST_IN_PARTITION_DRAM] = {"has bank", BANK},
	[REQUEST_IN_PARTITION_MC_RETURNQ] = {"all its data are transferred, into the DRAM's return queue", NOWHERE},
	[REQUEST_IN_PARTITION_DRAM_TO_L2_QUEUE] = {"into the queue from the DRAM to the L2", NOWHERE},
	[REQUEST_IN_PARTITION_L2_FILL_QUEUE] = {"fills the L2's line", NOWHERE},
	[REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE] = {"answered, into the queue to the network", NOWHERE},
	[REQUEST_IN_ICNT_TO_SHADER] = {"the reply enters the network at sub-partition", SUB_PARTITION},
	[REQUEST_IN_CLUSTER_TO_SHADER_QUEUE] = {"the reply arrives at cluster", CLUSTER},
	[REQUEST_IN_SHADER_LDST_RESPONSE_FIFO] = {"into the response FIFO of the LDST unit", NOWHERE},
	[REQUEST_IN_SHADER_FETCHED] = {"taken by the LDST unit", NOWHERE},
	[REQUEST_IN_SHADER_L1T_ROB] = {"into the reorder buffer of the L1T", NOWHERE},
};

static uint32_t place_of(const struct mem_request *m, enum place p)
{
	return p == CLUSTER ? m->cluster : p == SUB_PARTITION ? m->dram.sub_partition : m->dram.bank;
}

static struct text *begin(struct observer *l, const struct mem_request *m, uint64_t uid, uint64_t now)
{
	const struct core *c = m && m->core != REQUEST_NO_CORE ? &l->t->core[m->core] : NULL;
	struct text *t = stream_begin(l->streams, now, c, "REQUEST");
	text_addf(t, "#%" PRIu64 " ", uid);
	return t;
}

/* Entry of the list for a request, or for the one that it is a part of (an L2 of sectors); NULL: it isn't followed. */
static struct followed *find(struct trace_streams *s, uint64_t uid)
{
	for (uint32_t k = 0; k < s->n_followed; k++)
		if (s->followed[k].uid == uid)
			return &s->followed[k];
	return NULL;
}

static void drop(struct trace_streams *s, struct followed *f) { *f = s->followed[--s->n_followed]; }

static void report_beginning(struct observer *l, struct followed *f, uint32_t request)
{
	const struct mem_request *m = request_at(&l->t->requests, request);
	struct text *t = begin(l, m, m->uid, m->created);
	struct text what = {0};
	request_describe(&l->t->requests, request, &what);
	text_addf(t, "made: %s", scan_blanks(text_str(&what) + strcspn(text_str(&what), " ")));
	text_free(&what);
	if (m->pc != REQUEST_NO_PC && m->pc < l->t->program.n) {
		text_add(t, " by ");
		dump_insn_text(l->d, m->pc, t);
	}
	stream_end(l);
	f->reported = true;
}

static void request_move(struct observer *l, uint32_t request, uint64_t now)
{
	const struct mem_request *m = request_at(&l->t->requests, request);
	struct text *t = begin(l, m, m->uid, now);
	text_add(t, words[m->status].text);
	if (words[m->status].place)
		text_addf(t, " %u", place_of(m, words[m->status].place));
	if (m->status == REQUEST_IN_PARTITION_DRAM)
		text_addf(t, ", to row 0x%03x", m->dram.row);
	stream_end(l);
}

/* On the way to an L1D that takes cycles to be reached (4.x). */
static bool is_on_way_to_l1(const struct observer *l, uint32_t request)
{
	const struct mem_request *m = request_at(&l->t->requests, request);
	const struct core *c = m->core != REQUEST_NO_CORE ? &l->t->core[m->core] : NULL;
	bool found = false;
	for (uint32_t k = 0; c && k < ldst_l1_length(c); k++)
		found |= ldst_l1_at(c, k) == request;
	return found;
}

/* It was made in this cycle and has not moved since. */
static void report_waiting(struct observer *l, uint32_t request, uint64_t now)
{
	const struct mem_request *m = request_at(&l->t->requests, request);
	text_add(begin(l, m, m->uid, now),
		 is_on_way_to_l1(l, request) ? "on its way to the L1D" : "waits for a line that is already under way");
	stream_end(l);
}

static void report_end(struct observer *l, struct followed *f, const struct mem_request *m, uint64_t now)
{
	struct text *t = begin(l, m, m->uid, now);
	if (f->reported)
		text_addf(t, "ends, %" PRIu64 " cycles after it was made", now - m->created);
	else
		text_add(t, "ends at once: its access hit, or was refused and is tried again with another number");
	stream_end(l);
	drop(l->streams, f);
}

void follow_event(struct observer *l, uint32_t request, enum request_status before, uint64_t now)
{
	const struct mem_request *m = request_at(&l->t->requests, request);
	struct followed *f = find(l->streams, m->uid);
	if (!f && m->whole && m->status != (uint8_t)before) { /* one of the parts in which it goes to the DRAM */
		f = find(l->streams, request_at(&l->t->requests, m->whole)->uid);
		if (f)
			request_move(l, request, now);
		return;
	}
	if (!f)
		return;
	if (m->status == REQUEST_MEM_FETCH_INITIALIZED) { /* who it is for is not known yet */
		f->request = request;
	} else if (m->status == REQUEST_MEM_FETCH_DELETED) {
		report_end(l, f, m, now);
	} else if (m->status != (uint8_t)before) {
		if (!f->reported)
			report_beginning(l, f, request);
		request_move(l, request, now);
	}
}

void follow_tick(struct observer *l, uint64_t now)
{
	struct trace_streams *s = l->streams;
	for (uint32_t k = s->n_followed; k-- > 0;) {
		struct followed *f = &s->followed[k];
		if (f->request && !f->reported) {
			report_beginning(l, f, f->request);
			report_waiting(l, f->request, now);
		} else if (!f->request && f->uid < l->t->requests.s->next_uid) {
			text_add(begin(l, NULL, f->uid, now), "was used up by an access that needed no request: it "
							      "hit, or was refused and is tried again");
			stream_end(l);
			drop(s, f);
		}
	}
}

void follow_command(struct observer *l, uint32_t partition, uint32_t bank, const char *what, uint32_t row, uint64_t uid,
		    uint64_t now)
{
	if (!uid || !find(l->streams, uid))
		return;
	text_addf(begin(l, NULL, uid, now), "partition %u bank %u: %s row 0x%03x", partition, bank, what, row);
	stream_end(l);
}

/* ---- the command ---- */

/* Index of the live request with this number, 0: none. */
static uint32_t live_request(const struct requests *q, uint64_t uid)
{
	for (uint32_t r = 1; r < q->s->n_used; r++)
		if (q->at[r].uid == uid && q->at[r].status != REQUEST_MEM_FETCH_DELETED)
			return r;
	return 0;
}

static bool start(struct observer *l, uint64_t uid, struct text *out, struct text *why)
{
	struct trace_streams *s = l->streams;
	const struct requests *q = &l->t->requests;
	const uint32_t r = live_request(q, uid);
	if (!uid || (!r && uid < q->s->next_uid))
		return debug_fail(why, "request %" PRIu64 " is not under way (the next one will be %" PRIu64 ")", uid,
				  q->s->next_uid);
	if (s->n_followed == FOLLOWED_MAX)
		return debug_fail(why, "%u requests are followed already; 'trace request off' follows none",
				  FOLLOWED_MAX);
	s->followed[s->n_followed++] = (struct followed){.uid = uid, .request = r, .reported = r != 0};
	if (!r)
		return true;
	request_describe(q, r, out);
	text_addf(out, ", %s since cycle %" PRIu64 "\n", request_status_names[q->at[r].status], q->at[r].status_time);
	return true;
}

bool follow_cmd(struct observer *l, const char *args, struct text *out, struct text *why)
{
	struct trace_streams *s = l->streams;
	const char *const at = scan_blanks(args);
	uint64_t uid;
	if (scan_word(&args, "off")) {
		if (!scan_end(args, why))
			return false;
		s->n_followed = 0;
		return true;
	}
	if (!scan_u64(&args, &uid))
		return debug_fail(why,
				  *at ? "a request is a number, as in its lines: #22; not %.*s"
				      : "which request? trace request N",
				  (int)strcspn(at, " \t"), at);
	const bool off = scan_word(&args, "off");
	struct followed *f = find(s, uid);
	if (!off)
		scan_word(&args, "on");
	if (!scan_end(args, why))
		return false;
	if (off && !f)
		return debug_fail(why, "request %" PRIu64 " isn't followed", uid);
	if (off)
		drop(s, f);
	return off || f || start(l, uid, out, why);
}

void follow_describe(const struct trace_streams *s, struct report *answer)
{
	if (!s->n_followed)
		return;
	report_list(answer, "requests");
	for (uint32_t k = 0; k < s->n_followed; k++)
		report_number(answer, NULL, s->followed[k].uid);
	report_close(answer);
	report_line(answer, s->n_followed > 1 ? "Requests {requests} followed.\n" : "Request {requests} followed.\n");
}
