/* Coalescing: the transactions of a load or store. */
#include "timing/ldst/coalesce.h"

#include <assert.h>
#include <string.h>

#include "timing/ldst/ldst.h"
#include "timing/timing.h"

#define WINDOW 128u /* bytes; chunks and halves are those of the 128-byte window an address lies in */
#define CHUNK 32u
/* Where 4.x puts the local memory of all threads: 80 x 2048 times 16 KiB and 80 x 96 KiB of shared memory below the heap. */
#define LOCAL_START_HIGH UINT64_C(0x1f880000)

/* ---- spaces and addresses ---- */
enum isa_space timing_space(uint64_t generic)
{
	if (generic < ISA_SHARED_WINDOW || generic >= ISA_CODE_WINDOW)
		return ISA_SPACE_GLOBAL;
	if (generic < ISA_LOCAL_WINDOW)
		return ISA_SPACE_SHARED;
	if (generic < ISA_PARAM_WINDOW)
		return ISA_SPACE_LOCAL;
	return generic < ISA_CONST_WINDOW ? ISA_SPACE_PARAM : ISA_SPACE_CONST;
}

/* Where the addresses of a space begin that only has offsets. */
static uint64_t window_of(enum isa_space space)
{
	switch (space) {
	case ISA_SPACE_SHARED:
		return ISA_SHARED_WINDOW;
	case ISA_SPACE_LOCAL:
		return ISA_LOCAL_WINDOW;
	case ISA_SPACE_PARAM:
		return ISA_PARAM_WINDOW;
	default:
		return 0;
	}
}

/* Global and constant addresses: places.h; others become offsets in their space. Local addresses still have to be spread over threads. */
static uint64_t address_of(const struct timing_places *p, uint64_t generic)
{
	const uint64_t window = window_of(timing_space(generic));
	/* the heap lies above all module variables */
	if (window || generic >= ISA_MODULE_GLOBALS_END)
		return generic - window;
	return timing_places_find(p, generic);
}

/* ---- segments ---- */
/* A segment that lanes touch, before it is cut down to what they use. */
struct segment {
	uint64_t base;
	uint32_t lanes;
	uint32_t chunks; /* used, of the window's four */
};

uint32_t coalesce_segment(uint32_t bytes, bool sectors)
{
	if (bytes == 1 || sectors)
		return 32;
	return bytes == 2 ? 64 : 128;
}

/* 128 bytes shrink to the half that is used, 64 bytes to the chunk that is. */
static struct transaction cut_down(const struct segment *s, uint32_t size)
{
	struct transaction t = {.address = s->base, .size = size, .lanes = s->lanes};
	uint32_t chunks = s->chunks >> (s->base % WINDOW / CHUNK);
	if (t.size == 128 && (!(chunks & 0xc) || !(chunks & 0x3))) {
		t.size = 64;
		if (!(chunks & 0x3)) {
			t.address += 64;
			chunks >>= 2;
		}
	}
	if (t.size == 64 && (!(chunks & 2) || !(chunks & 1))) {
		t.size = 32;
		if (!(chunks & 1))
			t.address += 32;
	}
	return t;
}

/* Segments are kept by ascending address. Returns where the one of this base stands; it may be new there. */
static uint32_t place_segment(struct segment *seg, uint32_t *n, uint64_t base)
{
	uint32_t k = *n;
	while (k && seg[k - 1].base > base)
		k--;
	if (k && seg[k - 1].base == base)
		return k - 1;
	for (uint32_t j = (*n)++; j > k; j--)
		seg[j] = seg[j - 1];
	seg[k] = (struct segment){.base = base};
	return k;
}

/* Adds a lane's accesses of one piece. Neighbouring lanes mostly share a segment, so the last one's is kept at hand. */
static void add_lanes(const uint64_t address[LANES], uint32_t lanes, uint64_t size, struct segment *seg, uint32_t *n)
{
	struct segment last = {.base = UINT64_MAX};
	uint32_t at = 0;
	LANES_EACH(l, lanes) {
		const uint64_t base = address[l] & ~(size - 1);
		if (base != last.base) {
			if (last.lanes)
				seg[at] = last;
			at = place_segment(seg, n, base);
			last = seg[at];
		}
		last.lanes |= lanes_bit(l);
		last.chunks |= 1u << address[l] % WINDOW / CHUNK;
	}
	if (last.lanes)
		seg[at] = last;
}

static uint32_t coalesce_part(const struct coalesce_in *in, uint32_t lanes, struct transaction *out)
{
	struct segment seg[COALESCE_MAX];
	uint32_t n = 0;
	for (uint32_t p = 0; p < in->pieces; p++)
		add_lanes(in->address + p * LANES, lanes, in->segment, seg, &n);
	for (uint32_t k = 0; k < n; k++)
		out[k] = cut_down(&seg[k], in->segment);
	return n;
}

/* Atomics: a lane goes into its segment's first transaction that has none of its bytes yet. */
static uint32_t coalesce_atomic_part(const struct coalesce_in *in, uint32_t lanes, struct transaction *out)
{
	struct segment seg[LANES];
	unsigned __int128 bytes[LANES]; /* used, of the window */
	uint32_t n = 0;
	LANES_EACH(l, lanes) {
		const uint64_t a = in->address[l], base = a & ~(uint64_t)(in->segment - 1);
		const unsigned __int128 own = (((unsigned __int128)1 << in->bytes) - 1) << a % WINDOW;
		uint32_t k = 0;
		while (k < n && (seg[k].base < base || (seg[k].base == base && bytes[k] & own)))
			k++;
		/* cppcheck-suppress uninitvar ; there are n of them */
		if (k == n || seg[k].base > base) {
			for (uint32_t j = n++; j > k; j--) {
				seg[j] = seg[j - 1];
				bytes[j] = bytes[j - 1];
			}
			seg[k] = (struct segment){.base = base};
			bytes[k] = 0;
		}
		seg[k].lanes |= lanes_bit(l);
		seg[k].chunks |= 1u << a % WINDOW / CHUNK;
		bytes[k] |= own;
	}
	for (uint32_t k = 0; k < n; k++)
		out[k] = cut_down(&seg[k], in->segment);
	return n;
}

uint32_t coalesce(const struct coalesce_in *in, struct transaction out[COALESCE_MAX])
{
	const uint64_t all = (UINT64_C(1) << in->width) - 1;
	uint32_t n = 0;
	for (uint32_t first = 0; first < LANES; first += in->width) {
		const uint32_t lanes = (uint32_t)(in->lanes & all << first);
		n += (in->is_atomic ? coalesce_atomic_part : coalesce_part)(in, lanes, out + n);
	}
	return n;
}

uint32_t coalesce_lines(const uint64_t address[LANES], uint32_t lanes, uint32_t line, struct transaction out[LANES])
{
	struct segment seg[LANES];
	uint32_t n = 0;
	add_lanes(address, lanes, line, seg, &n);
	for (uint32_t k = 0; k < n; k++)
		out[k] = (struct transaction){.address = seg[k].base, .size = line, .lanes = seg[k].lanes};
	return n;
}

/* ---- an instruction's accesses ---- */
/* The space of the whole warp: where lanes differ, the last lane's counts (as in GPGPU-Sim 3.2.2). */
static enum isa_space space_of(const struct inst *i, const struct exec_access *a)
{
	enum isa_space space = (enum isa_space)a->space;
	if (space == ISA_SPACE_GENERIC) /* of each lane its own */
		space = timing_space(a->address[31 - (unsigned)__builtin_clz(i->active)]);
	return space == ISA_SPACE_CODE ? ISA_SPACE_GLOBAL : space;
}

static void spread_halves(const struct exec_access *a, uint64_t out[LANES])
{
	for (unsigned half = 0; half < 2; half++)
		for (unsigned l = 0; l < LANES / 2; l++)
			out[half * (LANES / 2) + l] = a->start[half] + (uint64_t)l * a->step;
}

/* A full warp's words lie closer together than there are banks, and a word can be given to any number of lanes: no conflicts. */
static bool shared_is_near(const struct core_config *cfg, const struct exec_access *a, uint32_t lanes)
{
	const uint64_t length = (uint64_t)(LANES / 2 - 1) * a->step;
	const uint64_t low = a->start[0] < a->start[1] ? a->start[0] : a->start[1], high = (low == a->start[0] ? a->start[1] : a->start[0]) + length;
	return lanes == LANES_ALL && !cfg->shared_limited_broadcast && high / 4 - low / 4 < cfg->shared_banks;
}

/* Address of each lane in its own space. (What lanes get that are off does not matter.) */
static void lane_addresses(const struct core *c, const struct inst *i, const struct exec_access *a, uint64_t out[LANES])
{
	const uint64_t window = window_of((enum isa_space)a->space);
	const uint64_t *generic = a->address;
	uint64_t halves[LANES], below = 0; /* the sign: a lane's address may be below the heap */
	if (a->in_halves) {
		spread_halves(a, halves);
		generic = halves;
	}
	for (unsigned l = 0; l < LANES; l++) {
		out[l] = generic[l] - window;
		below |= generic[l] - ISA_MODULE_GLOBALS_END;
	}
	if (window || !(below >> 63))
		return;
	LANES_EACH(l, i->active)
		out[l] = address_of(&c->program->places, generic[l]);
}

/* Local memory: one 4-byte piece after the other, or one smaller piece. Returns how many pieces. */
static uint32_t spread_local(const struct core *c, const struct inst *i, uint32_t bytes, uint64_t address[COALESCE_PIECES][LANES])
{
	const struct core_cta *cta = &c->s->cta[c->warp[i->warp].cta];
	const struct local_layout layout = {.by_cta = c->cfg->local_map, .core = c->id, .n_cores = c->cfg->n_cores,
					    .threads_per_core = c->cfg->threads, .padded = cta->n_warps * c->cfg->warp_threads,
					    .max_ctas = c->s->max_ctas};
	const uint64_t base = local_thread_base(&layout, (uint32_t)i->warp * c->cfg->warp_threads) + (c->cfg->rules.local_memory_high ? LOCAL_START_HIGH : 0), stride = local_word_stride(&layout);
	const uint32_t pieces = bytes > 4 ? bytes / 4 : 1;
	assert(pieces <= COALESCE_PIECES);
	LANES_EACH(l, i->active) {
		uint64_t word = address[0][l] / 4, in_word = address[0][l] % 4;
		for (uint32_t p = 0; p < pieces; p++)
			address[p][l] = base + 4 * l + (word + p) * stride + in_word;
	}
	return pieces;
}

static enum access_type access_type_of(uint8_t space, bool is_write)
{
	if (space == TIMING_SPACE_TEXTURE)
		return TEXTURE_ACC_R;
	if (space == ISA_SPACE_CONST || space == ISA_SPACE_PARAM)
		return CONST_ACC_R;
	if (space == ISA_SPACE_LOCAL)
		return is_write ? LOCAL_ACC_W : LOCAL_ACC_R;
	return is_write ? GLOBAL_ACC_W : GLOBAL_ACC_R;
}

/* The list is used from its head: the transaction created last goes first. */
static void push_accesses(struct core *c, struct inst *i, const struct transaction *t, uint32_t n)
{
	const bool is_write = core_insn(c, i)->class == TIMING_STORE;
	const uint8_t type = (uint8_t)access_type_of(i->space, is_write);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t a = core_new_access(c);
		/* cppcheck-suppress uninitvar ; the code that counted n wrote them */
		c->access[a] = (struct mem_access){.address = t[k].address, .size = t[k].size, .lanes = t[k].lanes,
						   .next = i->accesses, .type = type, .is_write = is_write};
		i->accesses = a;
	}
	i->n_accesses += n;
}

/* Which bytes of its line, and so which sectors, each of the instruction's accesses changes. */
static void mark_bytes(struct core *c, const struct inst *i, const struct coalesce_in *in)
{
	for (uint32_t k = i->accesses; k; k = c->access[k].next) {
		struct mem_access *a = &c->access[k];
		for (uint32_t p = 0; p < in->pieces; p++)
			LANES_EACH(l, a->lanes & in->lanes) {
				const uint64_t at = in->address[p * LANES + l];
				if (at - a->address >= a->size)
					continue;
				for (uint32_t b = at % WINDOW; b < at % WINDOW + in->bytes && b < WINDOW; b++)
					a->bytes[b / 64] |= UINT64_C(1) << b % 64;
				a->chunks |= (uint8_t)(1u << at % WINDOW / CHUNK);
			}
	}
}

static unsigned log2_of(uint32_t n) { return n ? 31u - (unsigned)__builtin_clz(n) : 0; }

uint64_t texture_tiled_address(const struct exec_texture_rows *r, uint32_t line, uint64_t address)
{
	const uint64_t at = address - r->base;
	const uint32_t x = (uint32_t)(at % r->row_bytes), y = (uint32_t)(at / r->row_bytes);
	uint32_t width = line <= 16 ? 4 : line <= 64 ? 8 : 16; /* of a tile, in texels */
	for (uint32_t k = r->texel_bytes >> 2; k; k >>= 2)
		width /= 2;
	const uint32_t height = line / (width * r->texel_bytes) ? line / (width * r->texel_bytes) : 1;
	const unsigned shift = log2_of(width) + log2_of(r->texel_bytes);
	const uint64_t tile = (uint64_t)(y / height) * r->width / width + (x >> shift);
	return r->base + tile * TILE_BYTES + x % (width * r->texel_bytes) + ((uint64_t)(y % height) << shift);
}

/* What an instruction asks for: transactions in order of creation, made of `in`; of shared memory cycles instead. */
struct plan {
	uint32_t n, cycles;
	bool sectors_marked; /* 4.x: each access records its bytes */
	struct coalesce_in in;
	uint64_t address[COALESCE_PIECES][LANES];
	struct transaction t[COALESCE_MAX];
};

static void plan_memory(const struct core *c, const struct inst *i, struct plan *p)
{
	const struct timing_insn *ti = core_insn(c, i);
	/* Fermi and Kepler fetch sectors where L1 is not used; GT200 has no L1 */
	const bool sectors = c->cfg->coalesce_arch >= 20 && (c->cfg->skip_l1d || ti->cache_op == TIMING_CACHE_GLOBAL);
	p->in = (struct coalesce_in){.address = p->address[0], .lanes = i->active, .pieces = 1, .bytes = ti->data_bytes,
				     .segment = coalesce_segment(ti->data_bytes, sectors), .width = coalesce_width(c->cfg, c->cfg->warp_parts)};
	if (i->space == ISA_SPACE_LOCAL) {
		p->in.pieces = spread_local(c, i, ti->data_bytes, p->address);
		p->in.bytes = ti->data_bytes > 4 ? 4 : ti->data_bytes;
	} else if (ti->is_atomic) {
		p->in.is_atomic = true;
		p->in.width = coalesce_width(c->cfg, c->cfg->rules.atomics_in_warp_parts ? c->cfg->warp_parts : 2);
	}
	p->n = coalesce(&p->in, p->t);
	p->sectors_marked = c->cfg->rules.stores_say_bytes && (ti->class == TIMING_STORE || ti->is_atomic);
}

static void plan_accesses(const struct core *c, const struct inst *i, const struct exec_access *a, struct plan *p)
{
	p->n = 0;
	p->cycles = 0;
	p->sectors_marked = false;
	lane_addresses(c, i, a, p->address[0]);
	switch (i->space) {
	case ISA_SPACE_SHARED:
		p->cycles = shared_access_cycles(c->cfg, p->address[0], i->active);
		break;
	case ISA_SPACE_CONST:
		for (unsigned l = 0; l < LANES && core_insn(c, i)->const_base; l++)
			p->address[0][l] = a->address[l] - core_insn(c, i)->const_base;
		__attribute__((fallthrough));
	case ISA_SPACE_PARAM:
		p->n = coalesce_lines(p->address[0], i->active, c->cfg->l1c.line, p->t);
		break;
	case TIMING_SPACE_TEXTURE:
		LANES_EACH(l, a->rows.width ? i->active : 0)
			if (a->address[l] - a->rows.base < a->rows.bytes)
				p->address[0][l] = texture_tiled_address(&a->rows, c->cfg->l1t.line, a->address[l]);
		p->n = coalesce_lines(p->address[0], i->active, c->cfg->l1t.line, p->t);
		break;
	default:
		plan_memory(c, i, p);
	}
}

/* -enable_ptx_file_line_stats: conflicts of shared memory, transactions of global memory. */
static void count_line(struct core *c, const struct inst *i)
{
	struct timing_line *line = timing_line_of(c->t, i->pc);
	if (i->space == ISA_SPACE_SHARED) {
		line->smem_conflicts += i->dispatch;
		line->smem_warps++;
	} else if (i->space == ISA_SPACE_GLOBAL) {
		line->gmem_accesses += i->n_accesses;
		line->gmem_warps++;
	}
}

/* An access for each lane, the lowest first: elements of streams. */
static void make_stream_accesses(struct core *c, struct inst *i, const struct exec_access *a)
{
	uint64_t address[LANES];
	i->space = TIMING_SPACE_STREAM;
	lane_addresses(c, i, a, address);
	for (unsigned l = LANES; l-- > 0;) {
		if (!(i->active >> l & 1))
			continue;
		const struct transaction t = {.address = address[l], .size = c->cfg->streams.step, .lanes = lanes_bit(l)};
		push_accesses(c, i, &t, 1);
		c->access[i->accesses].stream = c->t->exec->stream_of[l];
	}
}

static void make_accesses(struct core *c, struct inst *i, const struct exec_access *a)
{
	i->space = core_insn(c, i)->space;
	i->accesses = i->n_accesses = i->pending = 0;
	if (!i->active)
		return;
	if (i->space == ISA_SPACE_SHARED && c->cfg->streams.size) {
		make_stream_accesses(c, i, a);
		return;
	}
	if (i->space != TIMING_SPACE_TEXTURE)
		i->space = (uint8_t)space_of(i, a);
	if (i->space == ISA_SPACE_SHARED && a->in_halves && shared_is_near(c->cfg, a, i->active)) {
		i->dispatch = (uint16_t)c->cfg->warp_parts;
	} else {
		struct plan p;
		plan_accesses(c, i, a, &p);
		if (i->space == ISA_SPACE_SHARED)
			i->dispatch = (uint16_t)p.cycles;
		push_accesses(c, i, p.t, p.n);
		if (p.sectors_marked)
			mark_bytes(c, i, &p.in);
	}
	if (c->t->line)
		count_line(c, i);
}

void ldst_make_accesses(struct core *c, struct inst *i, const struct exec_access *a)
{
	const uint32_t active = i->active;
	if (core_insn(c, i)->is_matrix)
		i->active = active ? a->lanes : 0;
	make_accesses(c, i, a);
	i->active = active;
}

void coalesce_look(const struct core *c, uint32_t warp, uint32_t pc, const struct exec_access *a, struct coalesce_look *out)
{
	struct inst i = {.pc = pc, .warp = (uint16_t)warp, .active = a->lanes, .space = c->program->insns[pc].space};
	struct plan p;
	if (i.space != TIMING_SPACE_TEXTURE)
		i.space = (uint8_t)space_of(&i, a);
	plan_accesses(c, &i, a, &p);
	lane_addresses(c, &i, a, out->address);
	out->space = (enum isa_space)i.space;
	out->cycles = p.cycles;
	out->n = p.n;
	memcpy(out->t, p.t, p.n * sizeof *p.t);
}
