/* Where values that aren't initialised came from: an instruction that was the first to read the register or memory, kept along with them, also in memory
 * they are stored to. */
#include <stdio.h>

#include "check/init.h"

static struct init_origin *origin_at(const struct init *in, const struct exec *x, uint32_t pc)
{
	return (struct init_origin *)arena_at(x->arena, in->sec_origins, 0) + pc;
}

static uint64_t uid_of(const struct exec *x, unsigned lane)
{
	return x->launch->first_uid + x->cta->linear * x->launch->threads_per_cta + exec_thread_of(x, x->warp->index, lane);
}

uint32_t init_from_of(struct init *in, const struct exec *x, uint32_t word, uint32_t from, unsigned lane)
{
	struct init_origin *o = origin_at(in, x, x->pc);
	if (from)
		return from;
	if (!o->uid && arena_use(x->arena, in->sec_origins, (x->pc + 1) * sizeof *o))
		*o = (struct init_origin){.reg = word, .uid = uid_of(x, lane)};
	return x->pc + 1;
}

uint32_t init_from_memory(struct init *in, const struct exec *x, uint64_t address, unsigned lane)
{
	struct init_origin *o = origin_at(in, x, x->pc);
	const uint32_t stored = init_stored_from(in, x, address, lane);
	if (stored)
		return stored;
	if (!o->uid && arena_use(x->arena, in->sec_origins, (x->pc + 1) * sizeof *o))
		*o = (struct init_origin){.reg = ISA_REF_NONE,
					  .space = init_space_of(address),
					  .address = address,
					  .uid = uid_of(x, lane)};
	return x->pc + 1;
}

uint32_t init_from_absent(struct init *in, const struct exec *x, uint32_t word, unsigned lane, unsigned source)
{
	struct init_origin *o = origin_at(in, x, x->pc);
	if (!o->absent && arena_use(x->arena, in->sec_origins, (x->pc + 1) * sizeof *o))
		*o = (struct init_origin){.reg = word,
					  .uid = uid_of(x, lane),
					  .absent = source + 1,
					  .has_exited = x->warp->exited >> source & 1,
					  .exists = x->warp->lanes >> source & 1};
	return x->pc + 1;
}

void init_origin_fill(struct init *in, uint32_t from, struct check_finding *f)
{
	const struct init_origin *o = origin_at(in, in->x, from - 1);
	const bool memory = o->reg == ISA_REF_NONE;
	f->kind = memory ? CHECK_UNINITIALIZED_MEMORY : CHECK_UNINITIALIZED_REGISTER;
	f->reg = memory ? 0 : o->reg + 1;
	f->has_other = check_thread_of_uid(in->c, o->uid, from - 1, &f->other);
	f->other.op = memory ? CHECK_OP_READ : CHECK_OP_NONE;
	f->other.space = (uint8_t)(memory ? o->space : 0);
	f->other.has_address = memory;
	f->other.address = o->address;
	if (o->absent)
		snprintf(f->detail, sizeof f->detail, "lane %u, which %s", o->absent - 1,
			 o->has_exited ? "has exited"
			 : o->exists   ? "the mask of the shuffle doesn't name"
				       : "doesn't exist");
	if (memory && o->space == ISA_SPACE_GLOBAL)
		check_near(in->c, o->address, f);
}

/* ---- in memory ---- */

/* Of a word of memory: what was stored there. Which word: of global memory; else of a block or thread, so that what earlier ones left isn't taken for
 * theirs. The latest of those that fall on one place are known. */
struct stored {
	uint64_t key; /* 0: none */
	uint32_t from;
	bool any; /* in the first one: there are any at all */
};

static struct stored *table(const struct init *in) { return arena_at(in->x->arena, in->sec_stored, 0); }

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t z = (a ^ b) * UINT64_C(0x9E3779B97F4A7C15);
	return z ^ z >> 29;
}

static uint64_t key_of(const struct exec *x, uint64_t address, unsigned lane)
{
	const enum isa_space space = init_space_of(address);
	uint64_t key = address / 4 + 1;
	if (space == ISA_SPACE_GLOBAL)
		return key;
	key = mix(mix(key, x->launch->id + 1), x->cta->linear + 1);
	if (space == ISA_SPACE_LOCAL)
		key = mix(key, exec_thread_of(x, x->warp->index, lane) + 1);
	return key | UINT64_C(1) << 63;
}

static struct stored *place_of(const struct init *in, uint64_t key)
{
	return table(in) + (mix(key, 0) >> 20) % INIT_STORED;
}

static void change(struct init *in, struct stored *s)
{
	arena_touch(in->x->arena, in->sec_stored, (uint64_t)((char *)s - (char *)table(in)), sizeof *s);
}

void init_stored_note(struct init *in, const struct exec *x, uint64_t address, uint64_t n, unsigned lane, uint32_t from)
{
	for (uint64_t at = address & ~UINT64_C(3); at < address + n; at += 4) {
		const uint64_t key = key_of(x, at, lane);
		struct stored *s = place_of(in, key);
		change(in, s);
		s->key = key;
		s->from = from;
	}
	if (!table(in)->any) {
		change(in, table(in));
		table(in)->any = true;
	}
}

uint32_t init_stored_from(const struct init *in, const struct exec *x, uint64_t address, unsigned lane)
{
	const uint64_t key = key_of(x, address, lane);
	const struct stored *s = place_of(in, key);
	return s->key == key ? s->from : 0;
}

void init_stored_clear(struct init *in, const struct exec *x, uint64_t address, uint64_t n, unsigned lane)
{
	for (uint64_t at = address; at < address + n && table(in)->any; at += 4) {
		const uint64_t key = key_of(x, at, lane);
		struct stored *s = place_of(in, key);
		if (s->key != key)
			continue;
		change(in, s);
		s->key = 0;
	}
}

void init_stored_forget(struct init *in, uint64_t address, uint64_t n)
{
	for (size_t k = 0; k < INIT_STORED && table(in)->any; k++) {
		struct stored *s = table(in) + k;
		if (s->key - 1 < address / 4 || s->key - 1 >= (address + n + 3) / 4)
			continue;
		change(in, s);
		s->key = 0;
	}
}
