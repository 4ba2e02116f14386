/* The laws of stream buffers, in every cycle of random kernels with random sizes: what is sent, in which order and how much of it at a time follows from what was
 * accepted and what has arrived. Source: the specification's sections 3 to 6 and 9. */
#include <stdio.h>

#include "command/setup/buffers.h"
#include "command/running/running.h"
#include "gpu/performance/performance.h"
#include "performance_fixture.h"
#include "timing/ldst/ldst.h"
#include "timing/ldst/ldst_internal.h"

#define STREAMS 8u
#define WORDS 4096u /* of each buffer */
#define IN UINT64_C(0x80000000)
#define OUT (IN + 4 * WORDS)
enum { READS, WRITES, KINDS };

static uint32_t draw(uint32_t *seed, uint32_t n)
{
	*seed += 0x9e3779b9u;
	uint32_t z = (*seed ^ *seed >> 16) * 0x21f0aaadu;
	z = (z ^ z >> 15) * 0x735a2d97u;
	return (uint32_t)((uint64_t)(z ^ z >> 15) * n >> 32);
}

/* ---- a kernel: rounds of loads and stores by lanes that a mask chooses ---- */

struct operation {
	bool is_store;
	uint32_t lanes, by, from; /* lane l names stream (l * by + from) mod the number of streams */
};
struct kernel {
	uint32_t n[KINDS], length[KINDS];
	uint32_t threads, blocks, rounds, n_operations;
	struct operation operation[4];
	uint32_t accesses, instructions; /* of streams, of a block */
	uint32_t out[WORDS];		 /* what it makes */
};

static uint32_t stream_of(const struct kernel *k, const struct operation *o, uint32_t lane) { return (lane * o->by + o->from) % k->n[o->is_store]; }

/* Computes what a block does: heads move by lanes in ascending order. */
static void compute(struct kernel *k)
{
	uint32_t head[KINDS][STREAMS] = {0}, sum[STREAMS] = {0};
	memset(k->out, 0, sizeof k->out);
	for (uint32_t pass = 0; pass < 2; pass++) { /* lengths first */
		memset(head, 0, sizeof head);
		memset(sum, 0, sizeof sum);
		k->accesses = k->instructions = 0;
		for (uint32_t r = 0; r < k->rounds * k->n_operations; r++) {
			const struct operation *o = &k->operation[r % k->n_operations];
			uint32_t lanes = 0;
			for (uint32_t l = 0; l < k->threads; l++) {
				if (!(o->lanes >> l & 1))
					continue;
				const uint32_t s = stream_of(k, o, l), at = s * k->length[o->is_store] + head[o->is_store][s]++;
				if (o->is_store && pass)
					k->out[at] = sum[l] + l;
				else if (!o->is_store)
					sum[l] = sum[l] * 3 + 7 + 13 * at;
				lanes++;
			}
			k->accesses += lanes;
			k->instructions += lanes > 0;
		}
		for (unsigned kind = 0; kind < KINDS && !pass; kind++)
			for (uint32_t s = 0; s < k->n[kind]; s++)
				k->length[kind] = head[kind][s] > k->length[kind] ? head[kind][s] : k->length[kind];
	}
}

static void make_kernel(struct kernel *k, uint32_t *seed)
{
	*k = (struct kernel){.threads = 1 + draw(seed, STREAMS), .blocks = 1 + draw(seed, 2), .rounds = 1 + draw(seed, 24), .n_operations = 1 + draw(seed, 4)};
	for (unsigned kind = 0; kind < KINDS; kind++)
		k->n[kind] = 1 + draw(seed, STREAMS);
	for (uint32_t o = 0; o < k->n_operations; o++)
		k->operation[o] = (struct operation){draw(seed, 2), draw(seed, 3) ? 0xff : draw(seed, 256), draw(seed, 3), draw(seed, STREAMS)};
	compute(k);
	const uint32_t more = draw(seed, 3) ? 0 : draw(seed, 20); /* that is never read */
	k->length[READS] += more;
	k->length[WRITES] += more;
	compute(k);
}

static void kernel_text(const struct kernel *k, struct text *out)
{
	text_add(out, ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u32 n0");
	for (uint32_t s = 0; s < k->n[READS]; s++)
		text_addf(out, ", .param .u64 r%u", s);
	text_add(out, ", .param .u32 m0, .param .u32 n1");
	for (uint32_t s = 0; s < k->n[WRITES]; s++)
		text_addf(out, ", .param .u64 w%u", s);
	text_add(out, ", .param .u32 m1)\n{\n.reg .b32 %r<10>;\n.reg .pred %p<4>;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u32 %r9, 0;\nL:\n");
	for (uint32_t o = 0; o < k->n_operations; o++) {
		const struct operation *p = &k->operation[o];
		text_addf(out, "shr.u32 %%r3, %u, %%r1;\nand.b32 %%r3, %%r3, 1;\nsetp.ne.u32 %%p1, %%r3, 0;\n", p->lanes);
		text_addf(out, "mad.lo.u32 %%r4, %%r1, %u, %u;\nrem.u32 %%r4, %%r4, %u;\n", p->by, p->from, k->n[p->is_store]);
		if (p->is_store)
			text_add(out, "add.u32 %r5, %r2, %r1;\n@%p1 st.shared.u32 [%r4], %r5;\n");
		else
			text_add(out, "@%p1 ld.shared.u32 %r5, [%r4];\n@%p1 mad.lo.u32 %r2, %r2, 3, %r5;\n");
	}
	text_addf(out, "add.u32 %%r9, %%r9, 1;\nsetp.lt.u32 %%p2, %%r9, %u;\n@%%p2 bra L;\nret;\n}\n", k->rounds);
}

/* Appends the launch: the streams lie one behind the other. */
static void launch_text(const struct kernel *k, struct text *out)
{
	static const char *const buffers[] = {"in", "out"};
	text_addf(out, "k<<<%u, %u>>>(", k->blocks, k->threads);
	for (unsigned kind = 0; kind < KINDS; kind++) {
		text_addf(out, "%s%u", kind ? ", " : "", k->n[kind]);
		for (uint32_t s = 0; s < k->n[kind]; s++)
			text_addf(out, ", &%s[%u]", buffers[kind], s * k->length[kind]);
		text_addf(out, ", %u", k->length[kind]);
	}
	text_add(out, ")");
}

/* ---- a cycle ---- */

struct look {
	uint32_t epoch, in_flight[KINDS];
	struct stream_view of[KINDS][STREAMS];
	bool exited; /* all threads on the core */
};

static struct look look(struct gpu *g, const struct kernel *k)
{
	const struct core *c = &g->perf->timing.core[0];
	struct look l = {.epoch = c->ldst->streams->epoch, .exited = true};
	for (unsigned kind = 0; kind < KINDS; kind++) {
		l.in_flight[kind] = ldst_streams_in_flight(c, kind == WRITES);
		for (uint32_t s = 0; s < k->n[kind]; s++)
			ldst_get_stream(c, kind == WRITES, s, &l.of[kind][s]);
	}
	for (uint32_t w = 0; w < c->cfg->n_warps; w++)
		l.exited = l.exited && (!c->warp[w].used || c->warp[w].done);
	return l;
}

struct laws {
	const struct kernel *k;
	const struct stream_config *cfg;
	uint32_t next[KINDS]; /* whose turn it is */
	uint32_t moved[STREAMS]; /* of each write stream: to where its words are sent from */
	uint64_t sent[KINDS], used, cycles, refused;
	uint64_t hash;
};

static uint32_t limit_of(const struct laws *w, unsigned kind) { return w->cfg->percent * w->cfg->size * w->k->n[kind] / 100; }

/* Returns the stream that may send a read: the first in turn that has words left and room. STREAMS: none. */
static uint32_t reader(const struct laws *w, const struct look *before, const struct look *after, uint32_t in_flight)
{
	for (uint32_t k = 0; k < w->k->n[READS]; k++) {
		const uint32_t s = (w->next[READS] + k) % w->k->n[READS];
		if (after->of[READS][s].buffered + in_flight < w->cfg->size && in_flight < limit_of(w, READS) && before->of[READS][s].sent < w->k->length[READS])
			return s;
	}
	return STREAMS;
}

/* Returns the stream that may send a write: batches move as streams are looked at in turn. STREAMS: none. */
static uint32_t writer(struct laws *w, const struct look *before, const struct look *after, uint32_t in_flight)
{
	for (uint32_t k = 0; k < w->k->n[WRITES]; k++) {
		const uint32_t s = (w->next[WRITES] + k) % w->k->n[WRITES], sent = before->of[WRITES][s].sent;
		const uint32_t waiting = after->of[WRITES][s].used - w->moved[s];
		if (w->moved[s] == sent && waiting >= w->cfg->batch)
			w->moved[s] += w->cfg->batch;
		else if (w->moved[s] == sent && before->exited)
			w->moved[s] += waiting;
		if (in_flight < limit_of(w, WRITES) && w->moved[s] > sent)
			return s;
	}
	return STREAMS;
}

/* Judges what was sent in a cycle: one request at most, of the stream whose turn it is; addresses follow each other. */
static void judge_sent(struct laws *w, unsigned kind, const struct look *before, const struct look *after, uint32_t may)
{
	const uint64_t base = kind == WRITES ? OUT : IN;
	uint32_t sent = 0, who = STREAMS;
	for (uint32_t s = 0; s < w->k->n[kind]; s++) {
		const struct stream_view *v = &after->of[kind][s];
		const uint32_t more = v->sent - before->of[kind][s].sent;
		sent += more;
		who = more ? s : who;
		assert_int_equal(v->next, base + 4 * ((uint64_t)s * w->k->length[kind] + v->sent));
		assert_int_equal(v->sent + v->left, w->k->length[kind]);
		assert_true(v->sent <= w->k->length[kind] && v->used <= w->k->length[kind]);
	}
	assert_true(sent <= 1);
	if (!sent) {
		w->refused += may != STREAMS; /* by the network */
		return;
	}
	assert_int_equal(who, may);
	w->next[kind] = (who + 1) % w->k->n[kind];
	w->sent[kind]++;
	assert_true(after->in_flight[kind] <= limit_of(w, kind));
	if (kind == READS)
		assert_true(after->of[kind][who].buffered + after->in_flight[kind] <= w->cfg->size);
}

/* Judges what arrived and was used: an access a cycle, a reply a cycle, and each word is in one place. */
static void judge_moved(struct laws *w, const struct look *before, const struct look *after)
{
	uint32_t used = 0, replies = 0, under_way = 0;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		uint32_t sent = 0;
		for (uint32_t s = 0; s < w->k->n[kind]; s++) {
			used += after->of[kind][s].used - before->of[kind][s].used;
			sent += after->of[kind][s].sent - before->of[kind][s].sent;
		}
		replies += before->in_flight[kind] + sent - after->in_flight[kind];
	}
	assert_true(used <= 1);
	assert_true(replies <= 1);
	w->used += used;
	for (uint32_t s = 0; s < w->k->n[READS]; s++) {
		const struct stream_view *v = &after->of[READS][s];
		assert_true(v->used + v->buffered <= v->sent); /* no word is used before its reply */
		assert_true(v->sent - v->used <= w->cfg->size);
		under_way += v->sent - v->used - v->buffered;
	}
	assert_true(under_way <= after->in_flight[READS]); /* more: replies to an earlier block's requests */
	if (w->k->blocks == 1)
		assert_int_equal(under_way, after->in_flight[READS]);
	for (uint32_t s = 0; s < w->k->n[WRITES]; s++) {
		const struct stream_view *v = &after->of[WRITES][s];
		const uint32_t batches = (v->sent + w->cfg->batch - 1) / w->cfg->batch * w->cfg->batch;
		assert_true(v->sent <= v->used && (before->exited || batches <= v->used));
		assert_true(v->used - v->sent <= w->cfg->size + w->cfg->batch);
	}
}

static void judge(struct laws *w, const struct look *then, const struct look *after)
{
	struct look before = *then;
	if (after->epoch != before.epoch) { /* a block begins with empty buffers, in turn where the last one ended */
		memset(before.of, 0, sizeof before.of);
		memset(w->moved, 0, sizeof w->moved);
	}
	uint32_t sent[KINDS] = {0};
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (uint32_t s = 0; s < w->k->n[kind]; s++)
			sent[kind] += after->of[kind][s].sent - before.of[kind][s].sent;
	judge_sent(w, READS, &before, after, reader(w, &before, after, after->in_flight[READS] - sent[READS]));
	judge_sent(w, WRITES, &before, after, writer(w, &before, after, after->in_flight[WRITES] - sent[WRITES]));
	judge_moved(w, &before, after);
	w->hash = (w->hash ^ (w->cycles * 31 + w->sent[READS] * 7 + w->sent[WRITES] * 3 + w->used)) * UINT64_C(0x9e3779b97f4a7c15);
	w->cycles++;
}

/* ---- runs ---- */

static void judge_end(const struct laws *w, struct gpu *g)
{
	const struct kernel *k = w->k;
	const struct core_stats *st = g->perf->timing.core[0].stats;
	const struct look end = look(g, k);
	uint32_t made[WORDS];
	uint64_t stalls = 0, coalesced = 0;
	assert_int_equal(w->used, (uint64_t)k->accesses * k->blocks);
	assert_int_equal(end.in_flight[WRITES], 0);
	for (uint32_t s = 0; s < k->n[WRITES]; s++)
		assert_int_equal(end.of[WRITES][s].buffered, 0);
	assert_true(w->refused <= k->blocks); /* when the block is placed, after the unit had its turn */
	assert_true(w->cycles >= w->used && w->cycles >= w->sent[READS] && w->cycles >= w->sent[WRITES]);
	for (unsigned space = 0; space < STALL_SPACES; space++) {
		coalesced += st->stall_shd_mem[space][STALL_COAL_STALL];
		stalls += st->stall_shd_mem[space][STALL_COAL_STALL] + st->stall_shd_mem[space][STALL_STREAM_READ] + st->stall_shd_mem[space][STALL_STREAM_WRITE];
	}
	assert_int_equal(st->n_stall_shd_mem, stalls);
	assert_int_equal(coalesced, (uint64_t)(k->accesses - k->instructions) * k->blocks);
	assert_int_equal(st->mem_out[GLOBAL_ACC_R], w->sent[READS]);
	assert_int_equal(st->mem_out[GLOBAL_ACC_W], w->sent[WRITES]);
	assert_true(gpu_read(g, OUT, made, sizeof made));
	assert_memory_equal(made, k->out, sizeof made);
}

static uint64_t run(const struct kernel *k, const char *options)
{
	struct fixture f;
	struct timing_config timing;
	struct text t = {0};
	performance_begin(&f, &timing, "../../configs/mondrian/gpgpusim.config", options);
	struct gpu *g = debug_gpu(f.d);
	kernel_text(k, &t);
	fixture_load(&f, "k.ptx", text_str(&t));
	says(&f, command_buffer, "in u32[4096] = iota 7 13");
	says(&f, command_buffer, "out u32[4096] = zero");
	text_clear(&t);
	launch_text(k, &t);
	const char *said = runs(&f, command_launch_kernel, text_str(&t));
	if (strstr(said, "error"))
		fail_msg("%s: %s", text_str(&t), said);
	struct laws w = {.k = k, .cfg = &timing.core.streams};
	struct look before = look(g, k);
	for (bool over = false; !over && w.cycles < 200000;) {
		struct gpu_event ev = {0};
		gpu_run(g, &(struct gpu_request){.max_cycles = 1}, &ev);
		over = ev.kind == GPU_EVENT_KERNEL_DONE || ev.kind == GPU_EVENT_IDLE;
		if (ev.kind == GPU_EVENT_DEADLOCK || ev.kind == GPU_EVENT_FAULT)
			fail_msg("%s, %s: event %d: %s", text_str(&t), options, (int)ev.kind, text_str(&ev.text));
		text_free(&ev.text);
		const struct look after = look(g, k);
		judge(&w, &before, &after);
		before = after;
	}
	judge_end(&w, g);
	text_free(&t);
	performance_end(&f, &timing);
	return w.hash;
}

static void random_kernels(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {400, 4, 8, 33, 17}, percents[] = {50, 100, 25, 75}, batches[] = {4, 1, 2, 3};
	for (uint32_t n = 1; n <= 30; n++) {
		uint32_t seed = n * 0x85ebca6bu;
		struct kernel k;
		char options[256];
		make_kernel(&k, &seed);
		const uint32_t size = sizes[draw(&seed, 5)], batch = batches[draw(&seed, 4)];
		snprintf(options, sizeof options, "-gpgpu_heap_guard 0 -gpgpu_stream_buffer_size %u -gpgpu_stream_in_flight_percent %u -gpgpu_stream_write_batch %u -gpgpu_stream_request_size %u",
			 size, percents[draw(&seed, 4)], batch, draw(&seed, 2) ? 32 : 64);
		const uint64_t hash = run(&k, options);
		if (n % 10 == 0)
			assert_int_equal(run(&k, options), hash); /* the same again */
	}
}

/* ---- the fork's log of its write test ---- */

/* The log has one access a cycle, the first in cycle 260, with one gap behind the first round; each word's request leaves 24 cycles after the access. */
static uint64_t logged_access(uint32_t n) { return n < 64 ? 260 + n : 554 + n - 64; }
#define TO_REQUEST 24u
#define LOGGED_WORDS 7936u

/* Counts lines of the log in which the example's kernel has another cycle; none differs by more than one. The log's cycles count from 0. */
static void compare_line(uint64_t now, uint64_t logged, uint32_t *differ)
{
	assert_in_range(now, logged - 1, logged + 1);
	*differ += now != logged;
}

static void write_log(void **state)
{
	(void)state;
	static const char launch[] = "write_bandwidth<<<1, 8>>>(0, 0, 8, &w[0], &w[1000], &w[2000], &w[3000], &w[4000], &w[5000], &w[6000], &w[7000], 1000)";
	struct fixture f;
	struct timing_config timing;
	uint64_t used = 0, sent = 0;
	uint32_t differ[2] = {0};
	performance_begin(&f, &timing, "../../configs/mondrian/gpgpusim.config", "-gpgpu_heap_guard 0");
	struct gpu *g = debug_gpu(f.d);
	char text[4096] = "";
	FILE *file = fopen("../../examples/mondrian/write.ptx", "r");
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof text - 1, file) > 0);
	fclose(file);
	fixture_load(&f, "write.ptx", text);
	says(&f, command_buffer, "w u32[8000] = zero");
	assert_null(strstr(runs(&f, command_launch_kernel, launch), "error"));
	const struct core *c = &g->perf->timing.core[0];
	for (bool over = false; !over;) {
		struct gpu_event ev = {0};
		uint64_t now_used = 0, now_sent = 0;
		gpu_run(g, &(struct gpu_request){.max_cycles = 1}, &ev);
		over = ev.kind == GPU_EVENT_KERNEL_DONE || ev.kind == GPU_EVENT_IDLE;
		text_free(&ev.text);
		for (uint32_t s = 0; s < STREAMS; s++) {
			struct stream_view v = {0};
			ldst_get_stream(c, true, s, &v);
			now_used += v.used;
			now_sent += v.sent;
		}
		const uint64_t cycle = gpu_cycle(g) - 1;
		if (now_used > used)
			compare_line(cycle, logged_access((uint32_t)used), &differ[0]);
		if (now_sent > sent)
			compare_line(cycle, logged_access((uint32_t)sent) + TO_REQUEST, &differ[1]);
		assert_true(now_used - used <= 1 && now_sent - sent <= 1);
		used = now_used;
		sent = now_sent;
	}
	assert_int_equal(used, LOGGED_WORDS);
	assert_int_equal(sent, LOGGED_WORDS);
	assert_int_equal(gpu_cycle(g), 8676);
	assert_int_equal(differ[0], 64);
	assert_int_equal(differ[1], 64);
	performance_end(&f, &timing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_kernels), cmocka_unit_test(write_log)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
