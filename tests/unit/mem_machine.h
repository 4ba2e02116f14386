/* A warp without a kernel: rows, memories and one instruction at a time, for the tests of memory instructions. */
#ifndef TESTS_MEM_MACHINE_H
#define TESTS_MEM_MACHINE_H

/* cmocka wants these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/internal.h"

#define MACHINE_ROWS 32u
#define MACHINE_ROW_BYTES 512u
#define MACHINE_SHARED 8192u
#define MACHINE_STRIDE 2112u
#define MACHINE_PARAM 4000u
#define MACHINE_CONST 4096u

struct machine {
	struct arena arena;
	struct isa_program program;
	struct exec x;
	struct exec_warp warp;
	struct exec_cta cta;
	struct exec_launch launch;
	struct exec_simt simt;
	struct exec_window allocation[8];
	unsigned n_allocations;
	unsigned n_finds; /* calls of find_allocation */
	uint32_t aux[64];
	char *frame;
	char text[4096]; /* printed by the kernel */
	size_t n_text;
	uint64_t fifo_bytes; /* of CUDA's buffer that it took */
	uint64_t freed; /* last address given to device_free */
};

/* Row k of the frame: 64 bytes of predicates come first. */
#define ROW_REF(k) ISA_REF(ISA_BASE_FRAME, 64u + MACHINE_ROW_BYTES * (k))

static inline void *machine_row(struct machine *m, unsigned k) { return m->frame + 64 + MACHINE_ROW_BYTES * k; }

static inline bool machine_find(void *self, uint32_t context, uint64_t address, uint64_t size, struct exec_window *out)
{
	struct machine *m = self;
	(void)context;
	m->n_finds++;
	for (unsigned k = 0; k < m->n_allocations; k++) {
		const struct exec_window *w = &m->allocation[k];
		if (address >= w->first && address < w->end && size <= w->end - address) {
			*out = *w;
			return true;
		}
	}
	return false;
}

static inline void machine_output(void *self, const char *s, size_t n, uint64_t fifo_bytes)
{
	struct machine *m = self;
	m->fifo_bytes += fifo_bytes;
	assert_true(m->n_text + n < sizeof m->text);
	memcpy(m->text + m->n_text, s, n);
	m->n_text += n;
	m->text[m->n_text] = 0;
}

static inline uint64_t machine_malloc(void *self, uint64_t bytes)
{
	struct machine *m = self;
	if (m->n_allocations == sizeof m->allocation / sizeof m->allocation[0] || bytes > 65536)
		return 0;
	const uint64_t address = UINT64_C(0x90000000) + 65536u * m->n_allocations;
	m->allocation[m->n_allocations++] = (struct exec_window){address, address + bytes};
	return address;
}

static inline bool machine_free(void *self, uint64_t address)
{
	struct machine *m = self;
	for (unsigned k = 0; k < m->n_allocations; k++)
		if (m->allocation[k].first == address) {
			m->allocation[k] = (struct exec_window){0, 0};
			m->freed = address;
			return true;
		}
	return false;
}

static inline enum exec_heap_state machine_heap(void *self, uint64_t address)
{
	const struct machine *m = self;
	for (unsigned k = 0; k < m->n_allocations; k++)
		if (m->allocation[k].first == address)
			return address < UINT64_C(0x90000000) ? EXEC_HEAP_HOST : EXEC_HEAP_LIVE;
	return address == m->freed ? EXEC_HEAP_FREED : EXEC_HEAP_NONE;
}

/* `level` as exec_init takes it; NULL if the host hasn't got it. */
static inline struct machine *machine_create(const char *level)
{
	struct machine *m = aligned_alloc(64, sizeof *m); /* rows lie as lanes want them */
	assert_non_null(m);
	memset(m, 0, sizeof *m);
	arena_init(&m->arena);
	isa_program_init(&m->program);
	if (!exec_init(&m->x, &m->arena, &m->program, level, machine_limits_of_host())) {
		arena_free(&m->arena);
		free(m);
		return NULL;
	}
	m->program.aux = m->aux;
	struct exec *x = &m->x;
	x->services = (struct exec_services){.self = m,
					     .find_allocation = machine_find,
					     .output = machine_output,
					     .device_heap = machine_heap,
					     .device_malloc = machine_malloc,
					     .device_free = machine_free};
	m->frame = (char *)x->arena->section[x->sec_frame].base + 4096;
	x->base[ISA_BASE_FRAME] = x->base[ISA_BASE_CONST] = x->base[ISA_BASE_SPECIAL] = x->base[ISA_BASE_NONE] =
		m->frame;
	x->preds = (uint32_t *)(void *)m->frame;
	x->preds[ISA_PRED_TRUE] = LANES_ALL;
	m->simt = (struct exec_simt){.frame = 4096, .mask = LANES_ALL};
	x->top = &m->simt;
	m->cta = (struct exec_cta){.used = true,
				   .shared = 8192,
				   .shared_bytes = MACHINE_SHARED,
				   .n_warps = 1,
				   .param = 4096,
				   .param_bytes = MACHINE_PARAM};
	m->warp = (struct exec_warp){.lanes = LANES_ALL, .local = 8192, .local_stride = MACHINE_STRIDE};
	m->launch = (struct exec_launch){.param_offset = 4096, .param_bytes = MACHINE_PARAM, .block = {32, 1, 1}};
	m->cta.warp[0] = m->warp;
	x->warp = &m->cta.warp[0];
	x->cta = &m->cta;
	x->launch = &m->launch;
	x->shared = arena_at(&m->arena, x->sec_shared, m->cta.shared);
	x->shared_bytes = MACHINE_SHARED;
	x->local = arena_at(&m->arena, x->sec_local, m->warp.local);
	x->local_stride = MACHINE_STRIDE;
	x->param = arena_at(&m->arena, x->sec_param, m->launch.param_offset);
	x->param_bytes = MACHINE_PARAM;
	x->constant = m->arena.section[x->sec_const].base;
	x->const_bytes = MACHINE_CONST;
	x->mask = x->active = LANES_ALL;
	return m;
}

static inline void machine_free_all(struct machine *m)
{
	m->program.aux = NULL;
	exec_free(&m->x);
	isa_program_free(&m->program);
	arena_free(&m->arena);
	free(m);
}

static inline void machine_allocate(struct machine *m, uint64_t first, uint64_t bytes)
{
	m->allocation[m->n_allocations++] = (struct exec_window){first, first + bytes};
}

/* Executes one instruction for the lanes of `mask`, as exec_run would; false if it stopped in front of it. */
static inline bool machine_step(struct machine *m, const struct isa_insn *i, uint32_t mask)
{
	m->x.mask = mask;
	m->x.event = 0;
	if (mask)
		m->x.handlers[i->handler](&m->x, i);
	return !m->x.event;
}

/* An instruction with its refs absent. */
static inline struct isa_insn machine_insn(enum isa_handler h)
{
	struct isa_insn i = {.handler = (uint16_t)h, .vec = 1};
	i.dst = i.dst2 = i.a = i.b = i.c = i.d = ISA_REF_NONE;
	return i;
}

/* The handler that the lowering would choose. */
static inline enum isa_handler machine_handler(const char *exact, const char *mnemonic)
{
	enum isa_handler h = isa_handler_find(exact, NULL, mnemonic);
	assert_int_not_equal(h, ISA_H_UNSUPPORTED);
	return h;
}

/* Reproducible numbers for tests. */
static inline uint64_t machine_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

#endif
