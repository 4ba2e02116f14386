#include "exec/streams.h"

#include <stdlib.h>
#include <string.h>

#include "exec/internal.h"
#include "exec/memory.h"
#include "isa/opcodes.h"

/* ---- what the kernel's parameters say ---- */

/* Parameters in their order, each read as an unsigned 32-bit number. */
struct words {
	const struct isa_function *f;
	const char *bytes;
	uint32_t at;
};

/* Returns the next parameter. Sets `at` behind the last one if there is none. */
static uint32_t take(struct words *w)
{
	uint32_t v = 0;
	if (w->at >= w->f->n_params) {
		w->at = UINT32_MAX;
		return 0;
	}
	const struct isa_variable *p = &w->f->params[w->at++];
	memcpy(&v, w->bytes + p->address, p->bytes < sizeof v ? p->bytes : sizeof v);
	return v;
}

static void take_kind(struct words *w, struct exec_streams *s, unsigned kind, uint32_t *length)
{
	s->n[kind] = take(w);
	for (uint32_t k = 0; k < s->n[kind] && k < LANES; k++)
		s->start[kind][k] = take(w);
	*length = take(w);
}

static struct words words_of(const struct isa_program *p, uint32_t function, const void *params)
{
	return (struct words){p->functions[function], params, 0};
}

/* Returns false with the reason in `why` if the count or a parameter behind it is missing, or if there are more streams than `most`. */
static bool kind_fits(struct words *w, const char *what, uint32_t most, struct text *why)
{
	const uint32_t first = w->at, n = take(w);
	if (w->at != UINT32_MAX && n > most) {
		text_addf(why, "parameter %u of %s asks for %u %s streams; a warp of %u lanes has at most %u", first, w->f->name, n, what, most, most);
		return false;
	}
	for (uint32_t k = 0; k < n + 1 && w->at != UINT32_MAX; k++)
		take(w);
	if (w->at != UINT32_MAX)
		return true;
	text_addf(why, "%s has too few parameters for its %s streams: their number, an address each, and their length are expected from parameter %u on", w->f->name, what,
		  first);
	return false;
}

bool exec_streams_check(const struct isa_program *p, uint32_t function, const void *params, uint32_t most, struct text *why)
{
	struct words w = words_of(p, function, params);
	if (w.f->static_shared) {
		text_addf(why, "%s has .shared variables, but with stream buffers there is no shared memory", w.f->name);
		return false;
	}
	return kind_fits(&w, "read", most, why) && kind_fits(&w, "write", most, why);
}

bool exec_streams_start(struct exec *x, uint32_t cta_slot, const struct exec_launch *l)
{
	struct words w = words_of(x->program, l->function, arena_at(x->arena, x->sec_param, l->param_offset));
	if (!arena_use(x->arena, x->sec_streams, (uint64_t)(cta_slot + 1) * sizeof(struct exec_streams)))
		return false;
	struct exec_streams *s = exec_streams_of(x, cta_slot);
	memset(s, 0, sizeof *s);
	take_kind(&w, s, EXEC_STREAM_READS, &s->length);
	take_kind(&w, s, EXEC_STREAM_WRITES, &s->write_length);
	return true;
}

bool exec_streams_are_valid(const struct exec *x)
{
	const uint64_t n = x->arena->section[x->sec_streams].used / sizeof(struct exec_streams);
	for (uint64_t k = 0; k < n; k++)
		for (unsigned kind = 0; kind < EXEC_STREAM_KINDS; kind++)
			if (exec_streams_of(x, (uint32_t)k)->n[kind] > LANES)
				return false;
	return true;
}

/* ---- accesses ---- */

/* The elements that the lanes of an instruction access, in the order of the lanes. */
struct elements {
	uint64_t address[LANES];
	uint8_t stream[LANES];
};

static const char *const kind_names[EXEC_STREAM_KINDS] = {"read", "write"};

/* Finds the lanes' elements and moves the streams in `s`, a copy. Returns false after raising an exception. */
static bool find_elements(struct exec *x, const struct isa_insn *i, struct exec_streams *s, unsigned kind, struct elements *e)
{
	uint64_t number[LANES];
	mem_addresses(x, i, number);
	LANES_EACH (l, x->mask) {
		const uint32_t k = (uint32_t)number[l];
		if (k >= s->n[kind]) {
			exec_raise(x, EXEC_FAULT_OUT_OF_RANGE, lanes_bit(l), "%s stream %u of %u", kind_names[kind], k, s->n[kind]);
			return false;
		}
		if (s->next[kind][k] >= exec_stream_length(s, kind)) {
			exec_raise(x, EXEC_FAULT_OUT_OF_RANGE, lanes_bit(l), "%s past the end of stream %u, which has %u elements",
				   kind_names[kind], k, exec_stream_length(s, kind));
			return false;
		}
		e->stream[l] = (uint8_t)k;
		e->address[l] = s->start[kind][k] + (uint64_t)s->next[kind][k]++ * x->stream_step;
	}
	return true;
}

/* Returns the register's value for a type that lies in memory as `raw`. */
static uint64_t extend(enum isa_type type, uint64_t raw)
{
	const unsigned bits = 8 * isa_type_bytes(type);
	if (bits < 64 && isa_type_is_signed(type))
		return (uint64_t)((int64_t)(raw << (64 - bits)) >> (64 - bits));
	return raw;
}

static void put(struct exec *x, const struct isa_insn *i, unsigned lane, uint64_t v)
{
	if (i->dst == ISA_REF_NONE)
		return;
	if (i->dst_bytes <= 2)
		exec_dst16(x, i->dst)[lane] = (uint16_t)v;
	else if (i->dst_bytes == 4)
		exec_dst32(x, i->dst)[lane] = (uint32_t)v;
	else
		exec_dst64(x, i->dst)[lane] = v;
}

static uint64_t value_of(const struct exec *x, const struct isa_insn *i, unsigned lane)
{
	if (i->dst_bytes <= 2)
		return ((const row_u16 *)(const void *)exec_operand(x, i->b))[lane];
	return i->dst_bytes == 4 ? exec_src32(x, i->b)[lane] : exec_src64(x, i->b)[lane];
}

/* Accesses the streams of the block that runs. */
static void access_streams(struct exec *x, const struct isa_insn *i, bool observed)
{
	const bool is_write = i->opcode == ISA_OP_ST;
	const unsigned kind = is_write ? EXEC_STREAM_WRITES : EXEC_STREAM_READS, access = is_write ? EXEC_WRITE : EXEC_READ;
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type);
	struct exec_streams *own = exec_streams_of(x, x->warp->cta), s = *own;
	struct elements e = {0};
	uint64_t offset[LANES];
	if (!find_elements(x, i, &s, kind, &e))
		return;
	if (mem_resolve_global(x, i, bytes, access, e.address, offset)) {
		LANES_EACH (l, x->mask) {
			uint64_t v = is_write ? value_of(x, i, l) : 0;
			char *at = x->global + offset[l];
			if (is_write)
				memcpy(at, &v, bytes);
			else
				memcpy(&v, at, bytes);
			if (!is_write)
				put(x, i, l, extend((enum isa_type)i->type, v));
		}
		x->n_stores += is_write;
		x->after_is_due = false;
		if (observed && x->wants.kinds & EXEC_LOOK(ACCESS))
			mem_report_done(x, bytes, access, e.address);
	}
	if (!x->event) {
		*own = s;
		memcpy(x->stream_of, e.stream, sizeof x->stream_of);
	}
}

/* Returns whether an instruction of shared memory can access a stream. */
static bool is_plain(const struct isa_insn *i)
{
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type);
	return (i->opcode == ISA_OP_LD || i->opcode == ISA_OP_ST) && i->vec <= 1 && bytes && bytes <= 8;
}

static void execute(struct exec *x, const struct isa_insn *i, const exec_handler *others, bool observed)
{
	if (i->space != ISA_SPACE_SHARED)
		others[i->handler](x, i);
	else if (is_plain(i))
		access_streams(x, i, observed);
	else
		exec_raise(x, EXEC_FAULT_ILLEGAL_INSTRUCTION, x->mask, "a stream takes ld and st of one element");
}

static void plain(struct exec *x, const struct isa_insn *i) { execute(x, i, x->stream_others[0], false); }
static void observed(struct exec *x, const struct isa_insn *i) { execute(x, i, x->stream_others[1], true); }

/* Returns whether a handler may be that of an access to shared memory. */
static bool accesses_memory(const char *name)
{
	static const char *const words[] = {"ld", "st", "atom", "red"};
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		if (!strncmp(name, words[k], strlen(words[k])))
			return true;
	return false;
}

bool exec_streams_on(struct exec *x, uint32_t step)
{
	exec_handler *own = malloc(2 * ISA_HANDLER_COUNT * sizeof *own);
	if (!own)
		return false;
	x->stream_others[0] = x->plain;
	x->stream_others[1] = x->observed;
	for (unsigned k = 0; k < ISA_HANDLER_COUNT; k++) {
		const bool is_access = k && accesses_memory(isa_handler_names[k]);
		own[k] = is_access ? plain : x->plain[k];
		own[ISA_HANDLER_COUNT + k] = is_access ? observed : x->observed[k];
	}
	x->stream_tables = own;
	x->stream_step = step;
	x->plain = own;
	x->observed = own + ISA_HANDLER_COUNT;
	x->handlers = x->plain;
	return true;
}
