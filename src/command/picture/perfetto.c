/* Chrome's trace event format, which ui.perfetto.dev and chrome://tracing open: complete events (X) for instructions and waits, flows (s, f) for requests of
 * memory, counters (C), metadata (M) for names. A cycle is a microsecond. Source: "Trace Event Format" of the Chromium project. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/picture/export.h"
#include "debug/view/source.h"

#define MEMORY_PROCESS 100000u /* number of the process that stands for a partition: and up */

static void quoted(const char *s, struct text *out)
{
	text_addc(out, '"');
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			text_addf(out, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			text_addf(out, "\\u%04x", *s);
		else
			text_addc(out, *s);
	text_addc(out, '"');
}

static void begin(struct text *out) { text_add(out, out->n && out->s[out->n - 1] != '[' ? ",\n" : "\n"); }

static void name_track(const char *what, uint32_t process, uint32_t track, const char *name, struct text *out)
{
	begin(out);
	text_addf(out, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"%s\"}}", what, process, track, name);
}

static void names(const struct flights *f, struct text *out)
{
	char name[48];
	for (uint32_t core = 0; core < f->t->cfg->core.n_cores; core++) {
		if (f->core >= 0 && f->core != core)
			continue;
		snprintf(name, sizeof name, "core %u", core);
		name_track("process_name", core, 0, name, out);
		for (uint32_t warp = 0; warp < f->t->cfg->core.n_warps; warp++) {
			if (warp < f->low || warp > f->high)
				continue;
			snprintf(name, sizeof name, "warp %u waits", warp);
			name_track("thread_name", core, 4 * warp, name, out);
			snprintf(name, sizeof name, "warp %u issues", warp);
			name_track("thread_name", core, 4 * warp + 1, name, out);
		}
	}
	for (uint32_t k = 0; k < f->t->cfg->partition.n_partitions; k++) {
		snprintf(name, sizeof name, "partition %u", k);
		name_track("process_name", MEMORY_PROCESS + k, 0, name, out);
	}
}

static void instruction(const struct flights *f, const struct flight *v, struct text *out)
{
	struct text opcode = {0}, insn = {0};
	const uint64_t from = v->at[FLIGHT_ISSUE], end = v->done != FLIGHT_NEVER && v->done > from ? v->done : from + 1;
	debug_opcode_text(f->d, v->pc, &opcode);
	debug_insn_shown(f->d, v->pc, &insn);
	begin(out);
	text_add(out, "{\"ph\":\"X\",\"cat\":\"instruction\",\"name\":");
	quoted(text_str(&opcode), out);
	/* instructions of a warp overlap, slices of a track must nest: an issue takes a cycle, the rest is an async slice */
	text_addf(out, ",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":1,\"args\":{\"instruction\":", v->core, 4u * v->warp + 1, from);
	quoted(text_str(&insn), out);
	text_addf(out, ",\"lanes\":\"0x%08x\",\"block\":%" PRIu64 ",\"warp_in_block\":%u}}", v->lanes, v->block, v->index);
	for (unsigned k = 0; k < 2; k++) {
		begin(out);
		text_addf(out, "{\"ph\":\"%c\",\"cat\":\"flight\",\"id\":%zu,\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"name\":", k ? 'e' : 'b', (size_t)(v - f->v) + 1, v->core,
			  4u * v->warp + 1, k ? end : from);
		quoted(text_str(&opcode), out);
		text_add(out, "}");
	}
	for (unsigned stage = 0; stage < FLIGHT_STAGE_COUNT; stage++)
		if (v->at[stage] != FLIGHT_NEVER && v->at[stage] >= from && v->at[stage] <= end) {
			begin(out);
			text_addf(out, "{\"ph\":\"n\",\"cat\":\"flight\",\"id\":%zu,\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"name\":\"%s\"}", (size_t)(v - f->v) + 1, v->core,
				  4u * v->warp + 1, v->at[stage], flight_words[stage]);
		}
	text_free(&opcode);
	text_free(&insn);
}

static void wait(const struct flight_wait *w, struct text *out)
{
	begin(out);
	text_addf(out, "{\"ph\":\"X\",\"cat\":\"wait\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 "}", warp_wait_words[w->wait], w->core, 4u * w->warp,
		  w->first, w->end - w->first);
}

/* A request: an async slice on its partition, and an arrow from its instruction. */
static void request(const struct flights *f, size_t k, struct text *out)
{
	const struct flight_request *q = &f->request[k];
	if (!q->flight || q->deleted == FLIGHT_NEVER)
		return;
	const struct flight *v = &f->v[q->flight - 1];
	const uint32_t process = MEMORY_PROCESS + q->partition;
	for (unsigned i = 0; i < 2; i++) {
		begin(out);
		text_addf(out, "{\"ph\":\"%c\",\"cat\":\"request\",\"id\":%" PRIu64 ",\"pid\":%u,\"tid\":0,\"ts\":%" PRIu64 ",\"name\":\"%s\"", i ? 'e' : 'b', q->uid, process,
			  i ? q->deleted : q->created, access_type_names[q->type]);
		if (!i)
			text_addf(out, ",\"args\":{\"address\":\"0x%" PRIx64 "\",\"bytes\":%u}", q->address, q->size);
		text_add(out, "}");
	}
	begin(out);
	text_addf(out, "{\"ph\":\"s\",\"cat\":\"request\",\"id\":%" PRIu64 ",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"name\":\"request\"}", q->uid, v->core, 4u * v->warp + 1,
		  v->at[FLIGHT_ISSUE]);
	begin(out);
	text_addf(out, "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"request\",\"id\":%" PRIu64 ",\"pid\":%u,\"tid\":%u,\"ts\":%" PRIu64 ",\"name\":\"request\"}", q->uid, v->core,
		  4u * v->warp, q->deleted);
}

static void steps(const struct flights *f, struct text *out)
{
	for (size_t k = 0; k < f->n_steps; k++) {
		const struct flight_request *q = &f->request[f->step[k].request];
		if (!q->flight || q->deleted == FLIGHT_NEVER)
			continue;
		begin(out);
		text_addf(out, "{\"ph\":\"n\",\"cat\":\"request\",\"id\":%" PRIu64 ",\"pid\":%u,\"tid\":0,\"ts\":%" PRIu64 ",\"name\":\"%s\"}", q->uid, MEMORY_PROCESS + q->partition,
			  f->step[k].cycle, request_status_names[f->step[k].status]);
	}
}

#define COUNTED 16u /* cycles of a counter's value */

/* Instructions issued in each stretch, by core. */
static void counters(const struct flights *f, struct text *out)
{
	for (uint32_t core = 0; core < f->t->cfg->core.n_cores; core++) {
		uint64_t from = f->first;
		unsigned n = 0;
		if (f->core >= 0 && f->core != core)
			continue;
		for (size_t k = 0; k <= f->n; k++) {
			const bool is_end = k == f->n;
			if (!is_end && f->v[k].core != core)
				continue;
			while (is_end ? n : f->v[k].at[FLIGHT_ISSUE] >= from + COUNTED) {
				begin(out);
				text_addf(out, "{\"ph\":\"C\",\"name\":\"issued in %u cycles\",\"pid\":%u,\"ts\":%" PRIu64 ",\"args\":{\"instructions\":%u}}", COUNTED, core, from, n);
				n = 0;
				from += COUNTED;
			}
			n += !is_end;
		}
	}
}

void export_perfetto(const struct flights *f, struct text *out)
{
	text_add(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"a microsecond is a core cycle\"},\"traceEvents\":[");
	names(f, out);
	for (size_t k = 0; k < f->n_waits; k++)
		wait(&f->wait[k], out);
	for (size_t k = 0; k < f->n; k++)
		instruction(f, &f->v[k], out);
	for (size_t k = 0; k < f->n_requests; k++)
		request(f, k, out);
	steps(f, out);
	counters(f, out);
	text_add(out, "\n]}\n");
}
