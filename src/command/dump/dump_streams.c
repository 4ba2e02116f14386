/* Trace streams: what parts of the machine do, cycle by cycle.
 *
 * Nothing in the model knows of them. After each cycle the state of what is traced is compared with what it was; so they cost nothing when off,
 * and what they say is what `dp` and `dm` show. Source of the streams' names: GPGPU-Sim manual, "Debugging". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"
#include "command/dump/dump_info.h"
#include "command/dump/dump_streams.h"
#include "command/state.h"
#include "debug/ground/scan.h"
#include "debug/view/source.h"
#include "gpu/config/config.h"
#include "timing/ldst/ldst.h"

static const char *const stream_names[STREAM_COUNT] = {
#define X(name, help) #name,
	STREAMS(X)
#undef X
};
static const char *const stream_help[STREAM_COUNT] = {
#define X(name, help) help,
	STREAMS(X)
#undef X
};
const char dump_trace_streams[] =
#define X(name, help) #name " "
	STREAMS(X)
#undef X
	;

bool streams_any(const struct observer *l) { return l->streams && (l->streams->on || l->streams->n_followed); }
static bool is_on(const struct trace_streams *s, enum stream k) { return s->on >> k & 1; }
static bool wants_core(const struct trace_streams *s, const struct core *c) { return s->core < 0 || (uint32_t)s->core == c->id; }
static bool wants_partition(const struct trace_streams *s, uint32_t k) { return s->partition < 0 || (uint32_t)s->partition == k; }

/* ---- lines ---- */

/* `cycle core component: text`; - for what belongs to no core. */
struct text *stream_begin(struct trace_streams *s, uint64_t now, const struct core *c, const char *component)
{
	text_clear(&s->line);
	if (c)
		text_addf(&s->line, "%" PRIu64 " %u %s: ", now, c->id, component);
	else
		text_addf(&s->line, "%" PRIu64 " - %s: ", now, component);
	return &s->line;
}

void stream_end(struct observer *l)
{
	struct text *t = &l->streams->line;
	text_addc(t, '\n');
	if (!debug_is_past(l->d))
		debug_print(l->d, t);
}

static struct text *begin(struct trace_streams *s, uint64_t now, const struct core *c, enum stream k)
{
	return stream_begin(s, now, c, stream_names[k]);
}

static void end(struct observer *l) { stream_end(l); }

static void add_insn(struct observer *l, const struct core *c, uint32_t inst, struct text *out)
{
	const struct inst *i = &c->inst[inst];
	text_addf(out, "w%02u 0x%03x ", i->warp, i->pc * (unsigned)ISA_INSN_BYTES);
	debug_insn_shown(l->d, i->pc, out);
}

/* ---- cores ---- */

void streams_issue(struct observer *l, struct core *c, uint32_t inst, uint64_t now)
{
	struct trace_streams *s = l->streams;
	const struct inst *i = &c->inst[inst];
	if (!wants_core(s, c))
		return;
	if (is_on(s, STREAM_ISSUE)) {
		struct text *t = begin(s, now, c, STREAM_ISSUE);
		add_insn(l, c, inst, t);
		text_addf(t, " lanes 0x%08x", i->active);
		end(l);
	}
	if (is_on(s, STREAM_WARP_SCHEDULER)) {
		struct text *t = begin(s, now, c, STREAM_WARP_SCHEDULER);
		text_addf(t, "scheduler %u - issued ", c->s->scheduler);
		add_insn(l, c, inst, t);
		end(l);
	}
}

static void scheduler_lines(struct observer *l, struct core *c, struct seen_core *seen, uint64_t now)
{
	for (uint32_t w = 0; w < c->cfg->n_warps; w++) {
		const enum warp_wait wait = dump_warp_wait(c, w);
		if (seen->wait[w] == wait)
			continue;
		seen->wait[w] = (uint8_t)wait;
		struct text *t = begin(l->streams, now, c, STREAM_WARP_SCHEDULER);
		text_addf(t, "scheduler %u - w%02u: ", w % c->cfg->schedulers, w);
		if (wait == WAIT_GONE)
			text_add(t, "retired");
		else
			dump_wait_text(&(struct dump_view){.d = l->d, .t = l->t, .c = c}, w, t);
		end(l);
	}
}

/* Words: the scoreboard may have grown since, when a program was loaded. */
static void fit_scoreboard(struct observer *l, const struct core *c)
{
	struct trace_streams *s = l->streams;
	if (s->sb_words == c->sb_words)
		return;
	s->sb_words = c->sb_words;
	for (uint32_t k = 0; k < l->t->cfg->core.n_cores; k++) {
		free(s->cores[k].reserved);
		s->cores[k].reserved = xcalloc((size_t)c->cfg->n_warps * c->sb_words, sizeof(uint64_t));
		for (uint32_t w = 0; w < c->cfg->n_warps; w++)
			memcpy(s->cores[k].reserved + (size_t)w * c->sb_words, core_reserved(&l->t->core[k], w), c->sb_words * sizeof(uint64_t));
	}
}

static void register_lines(struct observer *l, struct core *c, uint32_t warp, uint32_t word, uint64_t changed, uint64_t now)
{
	uint32_t pc = c->warp[warp].fetch_pc ? c->warp[warp].fetch_pc - 1 : 0;
	const uint64_t *row = core_reserved(c, warp);
	dump_warp_pc(c, warp, &pc);
	for (; changed; changed &= changed - 1) {
		const unsigned bit = (unsigned)__builtin_ctzll(changed);
		struct text *t = begin(l->streams, now, c, STREAM_SCOREBOARD);
		text_addf(t, "w%02u %s ", warp, row[word] >> bit & 1 ? "reserved" : "released");
		dump_register_name(l->d, pc, word * 64 + bit, t);
		if (row[word] >> bit & 1 && core_long_op(c, warp)[word] >> bit & 1)
			text_add(t, ", a long operation");
		end(l);
	}
}

static void scoreboard_lines(struct observer *l, struct core *c, struct seen_core *seen, uint64_t now)
{
	if (c->textbook)
		return; /* registers become ready without an event */
	fit_scoreboard(l, c);
	for (uint32_t w = 0; w < c->cfg->n_warps; w++)
		for (uint32_t word = 0; word < c->sb_words; word++) {
			uint64_t *old = &seen->reserved[w * c->sb_words + word], present = core_reserved(c, w)[word];
			if (*old != present)
				register_lines(l, c, w, word, *old ^ present, now);
			*old = present;
		}
}

static void fetch_lines(struct observer *l, struct core *c, struct seen_core *seen, uint64_t now)
{
	const struct core_state *s = c->s;
	for (uint32_t w = 0; w < c->cfg->n_warps; w++) {
		const bool miss = c->warp[w].used && c->warp[w].imiss;
		if (miss != seen->imiss[w]) {
			struct text *t = begin(l->streams, now, c, STREAM_FETCH);
			text_addf(t, "w%02u %s 0x%03x", w, miss ? "miss at" : "miss served, to fetch", c->warp[w].fetch_pc * (unsigned)ISA_INSN_BYTES);
			if (miss && seen->fetching[w])
				text_addf(t, ", request #%" PRIu64, seen->fetching[w]);
			seen->fetching[w] = 0;
			end(l);
		}
		seen->imiss[w] = miss;
	}
	if (s->fetch_valid && !seen->fetch_valid) {
		struct text *t = begin(l->streams, now, c, STREAM_FETCH);
		text_addf(t, "w%02u fetched %u bytes at 0x%03x", s->fetch_warp, s->fetch_bytes, s->fetch_pc * (unsigned)ISA_INSN_BYTES);
		end(l);
	}
	seen->fetch_valid = false; /* decoded in the next cycle */
}

static void ldst_lines(struct observer *l, struct core *c, struct seen_core *seen, uint64_t now)
{
	static const char *const stalls[STALL_REASONS] = {"none",	  "BK_CONF",	     "MSHR_RC_FAIL",	  "ICNT_RC_FAIL",
							  "COAL_STALL", "DATA_PORT_STALL", "WB_ICNT_RC_FAIL", "WB_CACHE_RSRV_FAIL", "STREAM_BUFFER_READ_STALL", "STREAM_BUFFER_WRITE_STALL"};
	const uint32_t inst = ldst_dispatch(c);
	const uint64_t uid = inst ? c->inst[inst].uid : 0;
	if (inst && uid != seen->dispatch_uid) {
		struct text *t = begin(l->streams, now, c, STREAM_LDST);
		add_insn(l, c, inst, t);
		text_addf(t, " enters, %u access%s", c->inst[inst].n_accesses, c->inst[inst].n_accesses == 1 ? "" : "es");
		end(l);
	} else if (!inst && seen->dispatch_uid) {
		text_add(begin(l->streams, now, c, STREAM_LDST), "all accesses sent");
		end(l);
	}
	if (ldst_stall_reason(c) != seen->stall) {
		text_addf(begin(l->streams, now, c, STREAM_LDST), "stall condition %s", stalls[ldst_stall_reason(c)]);
		end(l);
	}
	seen->dispatch_uid = uid;
	seen->stall = ldst_stall_reason(c);
}

void streams_cycle(struct observer *l, struct core *c, uint64_t now)
{
	struct trace_streams *s = l->streams;
	struct seen_core *seen = &s->cores[c->id];
	if (!wants_core(s, c))
		return;
	if (is_on(s, STREAM_FETCH))
		fetch_lines(l, c, seen, now);
	if (is_on(s, STREAM_SCOREBOARD))
		scoreboard_lines(l, c, seen, now);
	if (is_on(s, STREAM_WARP_SCHEDULER))
		scheduler_lines(l, c, seen, now);
	if (is_on(s, STREAM_LDST))
		ldst_lines(l, c, seen, now);
}

/* ---- partitions, network, DRAM ---- */

static void command(struct observer *l, uint32_t partition, uint32_t bank, const char *what, uint32_t row, uint64_t uid, uint64_t now)
{
	if (is_on(l->streams, STREAM_DRAM) && wants_partition(l->streams, partition)) {
		struct text *t = begin(l->streams, now, NULL, STREAM_DRAM);
		text_addf(t, "partition %u bank %u: %s row 0x%03x", partition, bank, what, row);
		if (uid)
			text_addf(t, " for #%" PRIu64, uid);
		end(l);
	}
	follow_command(l, partition, bank, what, row, uid, now);
}

static uint64_t uid_of(const struct observer *l, uint32_t request) { return request ? request_at(&l->t->requests, request)->uid : 0; }

static bool is_write(const struct observer *l, uint32_t request) { return request && request_at(&l->t->requests, request)->is_write; }

static void dram_lines(struct observer *l, uint32_t partition, uint64_t now)
{
	const struct dram *d = partition_dram(l->t->partitions, partition);
	for (uint32_t k = 0; k < dram_bank_count(d); k++) {
		struct seen_bank *seen = &l->streams->banks[partition * dram_bank_count(d) + k];
		struct dram_bank_view b;
		dram_get_bank(d, k, &b);
		if (seen->active && (!b.active || b.row != seen->row))
			command(l, partition, k, "PRECHARGE", seen->row, uid_of(l, b.request), now);
		if (b.active && (!seen->active || b.row != seen->row))
			command(l, partition, k, "ACTIVATE", b.row, uid_of(l, b.request), now);
		/* the command that completes a request frees the bank */
		if (seen->request ? b.request != seen->request || b.transferred > seen->transferred : b.transferred > 0)
			command(l, partition, k, (seen->request ? seen->is_write : is_write(l, b.request)) ? "WRITE" : "READ", b.row,
				seen->request ? seen->uid : uid_of(l, b.request), now);
		*seen = (struct seen_bank){b.active, is_write(l, b.request), b.row, b.request, b.transferred, uid_of(l, b.request)};
	}
}

/* Commands of the memory that all partitions share. */
static void memory_lines(struct observer *l, const struct sdram *m, uint64_t now)
{
	struct text line = {0};
	for (uint32_t k = 0; k < sdram_get_config(m)->channels; k++) {
		text_clear(&line);
		if (!sdram_add_command(m, k, &line))
			continue;
		text_add(begin(l->streams, now, NULL, STREAM_DRAM), text_str(&line));
		end(l);
	}
	l->streams->memory_cycle = sdram_now(m);
	text_free(&line);
}

static void icnt_lines(struct observer *l, uint64_t now)
{
	struct icnt_totals n = {0}, *old = &l->streams->net;
	if (!l->t->icnt)
		return;
	icnt_get_totals(l->t->icnt, &n);
	if (n.packets_in != old->packets_in || n.packets_out != old->packets_out) {
		text_addf(begin(l->streams, now, NULL, STREAM_ICNT), "%" PRIu64 " packets entered, %" PRIu64 " left; %" PRIu64 " packets and %" PRIu64 " flits under way",
			  n.packets_in - old->packets_in, n.packets_out - old->packets_out, n.packets_in - n.packets_out,
			  n.flits_in - n.flits_out);
		end(l);
	}
	*old = n;
}

void streams_tick(struct observer *l, uint32_t domains, uint64_t now)
{
	struct trace_streams *s = l->streams;
	const struct sdram *memory = partitions_memory(l->t->partitions);
	(void)domains;
	if (memory && is_on(s, STREAM_DRAM) && sdram_now(memory) != s->memory_cycle)
		memory_lines(l, memory, now);
	else if (is_on(s, STREAM_DRAM) || s->n_followed)
		for (uint32_t p = 0; p < l->t->cfg->partition.n_partitions; p++)
			dram_lines(l, p, now);
	if (is_on(s, STREAM_ICNT))
		icnt_lines(l, now);
	follow_tick(l, now);
}

/* ---- requests that move on ---- */

/* What a stream says of a request that is now there. */
static const struct {
	uint8_t stream;
	bool of_core; /* else of its partition */
	const char *text;
} moves[REQUEST_STATUS_COUNT] = {
	[REQUEST_IN_L1D_MISS_QUEUE] = {STREAM_LDST, true, "into the L1D's miss queue: "},
	[REQUEST_IN_L1C_MISS_QUEUE] = {STREAM_LDST, true, "into the L1C's miss queue: "},
	[REQUEST_IN_L1T_MISS_QUEUE] = {STREAM_LDST, true, "into the L1T's miss queue: "},
	[REQUEST_IN_SHADER_LDST_RESPONSE_FIFO] = {STREAM_LDST, true, "reply "},
	[REQUEST_IN_PARTITION_ROP_DELAY] = {STREAM_MEMORY_PARTITION_UNIT, false, "into ROP delay: "},
	[REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE] = {STREAM_MEMORY_PARTITION_UNIT, false, "into ICNT to L2: "},
	[REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE] = {STREAM_MEMORY_PARTITION_UNIT, false, "into L2 to DRAM: "},
	[REQUEST_IN_PARTITION_DRAM_TO_L2_QUEUE] = {STREAM_MEMORY_PARTITION_UNIT, false, "into DRAM to L2: "},
	[REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE] = {STREAM_MEMORY_PARTITION_UNIT, false, "into L2 to ICNT: "},
};

static void move_line(struct observer *l, uint32_t request, uint64_t now)
{
	struct trace_streams *s = l->streams;
	const struct mem_request *m = request_at(&l->t->requests, request);
	const enum stream k = (enum stream)moves[m->status].stream;
	const bool of_core = moves[m->status].of_core;
	const struct core *c = of_core ? &l->t->core[m->core] : NULL;
	if (!moves[m->status].text || !is_on(s, k) || (c ? !wants_core(s, c) : !wants_partition(s, m->dram.channel)))
		return;
	struct text *t = begin(s, now, c, k);
	if (!c)
		text_addf(t, "sub-partition %u: ", m->dram.sub_partition);
	text_add(t, moves[m->status].text);
	request_describe(&l->t->requests, request, t);
	end(l);
}

/* A packet's two ends: clusters and sub-partitions. */
static void packet_line(struct observer *l, uint32_t request, enum request_status before, uint64_t now)
{
	const struct mem_request *m = request_at(&l->t->requests, request);
	const bool out = m->status == REQUEST_IN_ICNT_TO_MEM || before == REQUEST_IN_ICNT_TO_MEM;
	const bool enters = m->status == REQUEST_IN_ICNT_TO_MEM || m->status == REQUEST_IN_ICNT_TO_SHADER;
	if (!is_on(l->streams, STREAM_ICNT) || m->status == REQUEST_MEM_FETCH_DELETED ||
	    (!enters && before != REQUEST_IN_ICNT_TO_MEM && before != REQUEST_IN_ICNT_TO_SHADER))
		return;
	struct text *t = begin(l->streams, now, NULL, STREAM_ICNT);
	text_addf(t, "%s ", enters ? "enters" : "leaves");
	if (out == enters)
		text_addf(t, "at cluster %u: ", m->cluster);
	else
		text_addf(t, "at sub-partition %u: ", m->dram.sub_partition);
	request_describe(&l->t->requests, request, t);
	end(l);
}

void streams_request(struct observer *l, uint32_t request, enum request_status before)
{
	const struct mem_request *m = request_at(&l->t->requests, request);
	const uint64_t now = gpu_cycle(l->d->g);
	if (m->status == REQUEST_IN_L1I_MISS_QUEUE)
		l->streams->cores[m->core].fetching[m->warp] = m->uid;
	if (m->status != (uint8_t)before) { /* who is refused may be sent there again */
		packet_line(l, request, before, now);
		move_line(l, request, now);
	}
	if (l->streams->n_followed)
		follow_event(l, request, before, now);
}

/* ---- on, off ---- */

/* What is there now is no news. */
static void look_now(struct observer *l)
{
	struct trace_streams *s = l->streams;
	const struct partition_config *cfg = &l->t->cfg->partition;
	for (uint32_t k = 0; k < l->t->cfg->core.n_cores; k++) {
		struct core *c = &l->t->core[k];
		struct seen_core *seen = &s->cores[k];
		for (uint32_t w = 0; w < c->cfg->n_warps; w++) {
			seen->wait[w] = (uint8_t)dump_warp_wait(c, w);
			seen->imiss[w] = c->warp[w].used && c->warp[w].imiss;
		}
		seen->stall = ldst_stall_reason(c);
		seen->dispatch_uid = ldst_dispatch(c) ? c->inst[ldst_dispatch(c)].uid : 0;
	}
	s->sb_words = 0;
	fit_scoreboard(l, &l->t->core[0]);
	for (uint32_t p = 0; p < cfg->n_partitions; p++)
		for (uint32_t b = 0; b < cfg->dram.t.nbk; b++) {
			struct dram_bank_view v;
			dram_get_bank(partition_dram(l->t->partitions, p), b, &v);
			s->banks[p * cfg->dram.t.nbk + b] = (struct seen_bank){v.active, is_write(l, v.request), v.row, v.request, v.transferred, uid_of(l, v.request)};
		}
	if (l->t->icnt)
		icnt_get_totals(l->t->icnt, &s->net);
}

static struct trace_streams *make(struct observer *l)
{
	const struct partition_config *cfg = &l->t->cfg->partition;
	if (l->streams)
		return l->streams;
	struct trace_streams *s = l->streams = xcalloc(1, sizeof *s);
	s->core = s->partition = -1;
	s->cores = xcalloc(l->t->cfg->core.n_cores, sizeof *s->cores);
	s->banks = xcalloc((size_t)cfg->n_partitions * cfg->dram.t.nbk, sizeof *s->banks);
	return s;
}

static int find_stream(const char *name, size_t n)
{
	for (int k = 0; k < STREAM_COUNT; k++)
		if (strlen(stream_names[k]) == n && !strncasecmp(stream_names[k], name, n))
			return k;
	return n == 3 && !strncasecmp(name, "all", 3) ? STREAM_COUNT : -1;
}

static void note_unknown_stream(struct debug *d, const char *name, size_t n)
{
	struct nearest near;
	struct text line = {0};
	nearest_begin(&near, name, n);
	text_addf(&line, "-trace_components: there is no stream '%.*s'", (int)n, name);
	for (int k = 0; k < STREAM_COUNT; k++)
		nearest_add(&near, stream_names[k]);
	nearest_suggest(&near, &line);
	text_add(&line, nearest_meant(&near) ? " There are" : "; there are");
	for (int k = 0; k < STREAM_COUNT; k++)
		text_addf(&line, " %s", stream_names[k]);
	debug_note(d, "%s", text_str(&line));
	text_free(&line);
}

/* Notes that a number is none of those that the machine has. */
static void check_number(struct debug *d, const char *option, const char *what, uint32_t n)
{
	const int64_t v = config_int(gpu_config(d->g), option);
	if (v >= (int64_t)n)
		debug_note(d, "-%s %lld: %ss are 0 to %u; nothing is traced", option, (long long)v, what, n - 1);
}

void streams_check_options(struct debug *d)
{
	const struct config *cfg = gpu_config(d->g);
	if (!cfg || !config_bool(cfg, "trace_enabled"))
		return;
	const char *s = config_string(cfg, "trace_components");
	while (*s) {
		const size_t n = strcspn(s, ", \t");
		const bool is_none = n == 4 && !memcmp(s, "none", n);
		if (n && !is_none && find_stream(s, n) < 0)
			note_unknown_stream(d, s, n);
		s += n + (s[n] != '\0');
	}
	check_number(d, "trace_sampling_core", "core", gpu_exec(d->g)->n_cores);
	check_number(d, "trace_sampling_memory_partition", "partition", (uint32_t)config_int(cfg, "gpgpu_n_mem"));
}

/* As GPGPU-Sim: a stream is on if its name occurs in -trace_components. */
void streams_from_options(struct debug *d)
{
	const struct config *cfg = gpu_config(d->g);
	if (!cfg || !config_bool(cfg, "trace_enabled"))
		return;
	const char *names = config_string(cfg, "trace_components");
	struct trace_streams *s = make(d->commands->perf.observer);
	for (int k = 0; names && k < STREAM_COUNT; k++)
		if (strstr(names, stream_names[k]))
			s->on |= 1u << k;
	s->core = (int32_t)config_int(cfg, "trace_sampling_core");
	s->partition = (int32_t)config_int(cfg, "trace_sampling_memory_partition");
	look_now(d->commands->perf.observer);
	observer_attach(d);
}

void streams_look_again(struct observer *l)
{
	if (l->streams)
		look_now(l);
}

void streams_free(struct observer *l)
{
	struct trace_streams *s = l->streams;
	if (!s)
		return;
	for (uint32_t k = 0; k < l->t->cfg->core.n_cores; k++)
		free(s->cores[k].reserved);
	free(s->cores);
	free(s->banks);
	text_free(&s->line);
	free(s);
	l->streams = NULL;
}

static bool parse_streams(const char **at, uint32_t *set, struct text *why)
{
	const char *s = scan_blanks(*at);
	for (*set = 0;; s++) {
		size_t n = strcspn(s, " \t,");
		int k = find_stream(s, n);
		if (k < 0) {
			text_addf(why, n ? "no stream '%.*s'; there are" : "which stream? There are%.*s", (int)n, s);
			for (int i = 0; i < STREAM_COUNT; i++)
				text_addf(why, " %s", stream_names[i]);
			return false;
		}
		*set |= k == STREAM_COUNT ? (1u << STREAM_COUNT) - 1 : 1u << k;
		s += n;
		if (*s != ',')
			break;
	}
	*at = s;
	return true;
}

static bool follow(struct debug *d, const char *args, struct text *out, struct text *why)
{
	make(d->commands->perf.observer);
	if (!follow_cmd(d->commands->perf.observer, args, out, why))
		return false;
	look_now(d->commands->perf.observer);
	observer_attach(d);
	return true;
}

/* Switches all streams off, and follows no request any more. */
static bool switch_off(struct debug *d)
{
	struct trace_streams *s = make(d->commands->perf.observer);
	s->on = 0;
	s->core = -1;
	s->n_followed = 0;
	observer_attach(d);
	return true;
}

bool command_trace(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct timing *t = observer_machine(d, "trace", why);
	uint32_t set, core = 0;
	if (t && scan_word(&args, "request"))
		return follow(d, args, out, why);
	if (t && scan_word(&args, "off"))
		return scan_end(args, why) && switch_off(d);
	if (!t || !parse_streams(&args, &set, why))
		return false;
	const bool on = scan_word(&args, "on");
	if (!on && !scan_word(&args, "off"))
		return debug_fail(why, "usage: trace STREAM[,STREAM...] on|off [core N], trace request N [off], trace off");
	const bool one = scan_word(&args, "core");
	if ((one && !dump_number(&args, "core", t->cfg->core.n_cores, &core, why)) || !scan_end(args, why))
		return false;
	struct trace_streams *s = make(d->commands->perf.observer);
	s->on = on ? s->on | set : s->on & ~set;
	if (on)
		s->core = one ? (int32_t)core : -1;
	look_now(d->commands->perf.observer);
	observer_attach(d);
	return true;
}

bool info_trace(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Stream", "<Is", "<What it prints"};
	if (!observer_machine(d, "info trace", why) || !scan_end(args, why))
		return false;
	const struct trace_streams *s = d->commands->perf.observer->streams;
	report_table(answer, "trace", titles, 3);
	for (int k = 0; k < STREAM_COUNT; k++) {
		report_row(answer, false);
		report_text(answer, NULL, stream_names[k]);
		report_text(answer, NULL, s && is_on(s, (enum stream)k) ? "on" : "off");
		report_text(answer, NULL, stream_help[k]);
	}
	report_close(answer);
	if (s && s->on && s->core >= 0) {
		report_signed(answer, "core", s->core);
		report_line(answer, "Only of core {core}.\n");
	}
	if (s)
		follow_describe(s, answer);
	return true;
}
