/* Starting and finishing thread blocks: their memory, registers and special registers. */
#include "exec/heap.h"
#include "exec/internal.h"
#include "exec/pending.h"
#include "exec/streams.h"
#include "isa/plus.h"

#define SIMT_FIRST_ENTRIES 8u

/* ---- special registers ---- */

static void fill_row(char *rows, unsigned row, uint32_t value)
{
	uint32_t *r = (uint32_t *)(void *)(rows + (size_t)128 * row);
	for (unsigned l = 0; l < LANES; l++)
		r[l] = value;
}

static void fill_rows(char *rows, unsigned row, const uint32_t v[3])
{
	for (unsigned d = 0; d < 3; d++)
		fill_row(rows, row + d, v[d]);
}

/* Returns %gridid: launches count from 1, in PTXPlus from 0 as GPGPU-Sim's do. 3.2.2 never counts. */
static uint32_t grid_number(const struct exec *x, const struct exec_launch *l)
{
	if (!x->program->functions[l->function]->is_plus)
		return l->id + 1;
	return l->plus_exact ? 0 : l->id;
}

/* Fills the rows that stay the same for all blocks of a launch in one slot. Rows that are not named here are zero. */
static void special_of_launch(const struct exec *x, char *rows, const struct exec_launch *l, unsigned warp)
{
	static const uint32_t ones[3] = {1, 1, 1};
	memset(rows, 0, ISA_SPECIAL_BYTES);
	uint32_t *tid[3], *eq = (uint32_t *)(void *)(rows + 128 * ISA_ROW_LANEMASK_EQ);
	for (unsigned d = 0; d < 3; d++)
		tid[d] = (uint32_t *)(void *)(rows + 128 * (ISA_ROW_TID + d));
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint32_t t = exec_thread_of(x, warp, lane);
		tid[0][lane] = t % l->block[0];
		tid[1][lane] = t / l->block[0] % l->block[1];
		tid[2][lane] = t / l->block[0] / l->block[1];
		((uint32_t *)(void *)(rows + 128 * ISA_ROW_LANEID))[lane] = lane;
		eq[lane] = lanes_bit(lane);
		((uint32_t *)(void *)(rows + 128 * ISA_ROW_LANEMASK_LT))[lane] = lanes_bit(lane) - 1;
		((uint32_t *)(void *)(rows + 128 * ISA_ROW_LANEMASK_LE))[lane] = 2 * lanes_bit(lane) - 1;
		((uint32_t *)(void *)(rows + 128 * ISA_ROW_LANEMASK_GE))[lane] = ~(lanes_bit(lane) - 1);
		((uint32_t *)(void *)(rows + 128 * ISA_ROW_LANEMASK_GT))[lane] = ~(2 * lanes_bit(lane) - 1);
	}
	fill_rows(rows, ISA_ROW_NTID, l->block);
	fill_rows(rows, ISA_ROW_NCTAID, l->grid);
	fill_row(rows, ISA_ROW_WARPID, warp);
	fill_row(rows, ISA_ROW_NWARPID, x->warps_per_core);
	fill_row(rows, ISA_ROW_NSMID, x->n_cores);
	fill_row(rows, ISA_ROW_GRIDID, grid_number(x, l));
	fill_row(rows, ISA_ROW_ENVREG1, (uint32_t)(l->workspace >> 32));
	fill_row(rows, ISA_ROW_ENVREG2, (uint32_t)l->workspace);
	fill_row(rows, ISA_ROW_TOTAL_SMEM, l->shared_bytes);
	fill_row(rows, ISA_ROW_AGGR_SMEM, l->shared_bytes);
	fill_row(rows, ISA_ROW_DYN_SMEM, l->shared_dynamic);
	fill_row(rows, ISA_ROW_DYN_SHARED_BASE, l->dynamic_base);
	/* without clusters every block is a cluster of one */
	fill_rows(rows, ISA_ROW_NCLUSTERID, l->grid);
	fill_rows(rows, ISA_ROW_CLUSTER_NCTAID, ones);
	fill_row(rows, ISA_ROW_CLUSTER_NCTARANK, 1);
}

/* The rows below lie in front of all others. */
#define BLOCK_ROWS (ISA_ROW_SMID + 1u)
_Static_assert(ISA_ROW_CTAID + 3 + 3 + 1 == BLOCK_ROWS && ISA_ROW_CLUSTERID + 3 < BLOCK_ROWS, "rows of a block");

static void special_of_cta(char *rows, const struct exec_cta *cta)
{
	fill_rows(rows, ISA_ROW_CTAID, cta->id);
	fill_rows(rows, ISA_ROW_CLUSTERID, cta->id);
	fill_row(rows, ISA_ROW_SMID, cta->core);
}

void exec_special_rows(const struct exec *x, const struct exec_launch *l, const struct exec_cta *cta, unsigned warp,
		       void *rows)
{
	special_of_launch(x, rows, l, warp);
	special_of_cta(rows, cta);
}

/* ---- blocks ---- */

static bool start_warp(struct exec *x, struct exec_cta *cta, struct exec_warp *w, const struct exec_launch *l)
{
	const struct isa_function *f = x->program->functions[l->function];
	struct arena *a = x->arena;
	w->cap_simt = SIMT_FIRST_ENTRIES;
	w->simt = heap_alloc(a, x->sec_simt, w->cap_simt * sizeof(struct exec_simt));
	w->local_stride = l->local_stride;
	w->local = l->local_stride ? heap_alloc(a, x->sec_local, (uint64_t)LANES * l->local_stride) : 0;
	uint32_t frame_bytes = f->frame_bytes < 64 ? 64 : f->frame_bytes;
	uint64_t frame = heap_alloc(a, x->sec_frame, frame_bytes);
	if (!w->simt || !frame || (l->local_stride && !w->local)) {
		heap_free(a, x->sec_frame, frame, frame_bytes);
		return false;
	}
	char *rows = arena_at(a, x->sec_frame, frame);
	memset(rows, 0, frame_bytes);
	*(uint32_t *)(void *)rows = LANES_ALL;
	w->lanes = exec_lanes_of(x, w->index, l->threads_per_cta);
	w->n_simt = 1;
	w->state = EXEC_WARP_RUNNABLE;
	*(struct exec_simt *)arena_at(a, x->sec_simt, w->simt) = (struct exec_simt){.pc = f->first,
										    .rpc = ISA_NO_RECONV,
										    .mask = w->lanes,
										    .frame = frame,
										    .frame_bytes = frame_bytes,
										    .return_pc = ISA_NO_TARGET,
										    .local_top = f->local_bytes,
										    .stack_bytes = l->stack_limit != UINT32_MAX ? f->stack_bytes : 0};
	char *special = arena_at(a, x->sec_special, w->special);
	const bool is_of_launch = cta->special_launch == l->id + 1;
	arena_touch(a, x->sec_special, w->special, is_of_launch ? BLOCK_ROWS * 128u : ISA_SPECIAL_BYTES);
	if (!is_of_launch)
		special_of_launch(x, special, l, w->index);
	special_of_cta(special, cta);
	return true;
}

/* ---- PTXPlus: what the hardware puts into registers and shared memory ---- */

/* Writes tid.x + (tid.y << 16) + (tid.z << 26) to the register that has it at the entry. */
static void write_thread_index(const struct exec *x, const struct exec_warp *w, const struct isa_function *f)
{
	const char *special = arena_at(x->arena, x->sec_special, w->special);
	const struct exec_simt *e = arena_at(x->arena, x->sec_simt, w->simt);
	uint32_t *row = arena_at(x->arena, x->sec_frame, e->frame + ISA_REF_OFFSET(f->thread_index));
	const uint32_t *tid[3];
	for (unsigned d = 0; d < 3; d++)
		tid[d] = (const uint32_t *)(const void *)(special + 128 * (ISA_ROW_TID + d));
	LANES_EACH (lane, w->lanes)
		row[lane] = tid[0][lane] + (tid[1][lane] << 16) + (tid[2][lane] << 26);
}

/* Copies parameters to shared memory. 3.2.2 copies one element of each. */
static void write_parameters(const struct exec *x, const struct exec_cta *cta, const struct exec_launch *l, const struct isa_function *f)
{
	char *shared = arena_at(x->arena, x->sec_shared, cta->shared);
	const char *block = arena_at(x->arena, x->sec_param, l->param_offset);
	for (uint32_t k = 0; k < f->n_params; k++) {
		const struct isa_variable *v = &f->params[k];
		const uint64_t n = l->plus_exact ? isa_type_bytes((enum isa_type)v->type) : v->bytes;
		if (ISA_PLUS_PARAMS + v->address + n <= l->shared_bytes)
			memcpy(shared + ISA_PLUS_PARAMS + v->address, block + v->address, n);
	}
}

static void prepare_plus(const struct exec *x, const struct exec_cta *cta, const struct exec_launch *l)
{
	const struct isa_function *f = x->program->functions[l->function];
	write_parameters(x, cta, l, f);
	for (uint32_t k = 0; k < cta->n_warps && f->thread_index != ISA_REF_NONE; k++)
		write_thread_index(x, &cta->warp[k], f);
}

static void place_block(struct exec_cta *cta, const struct exec_launch *l, uint64_t linear)
{
	cta->linear = linear;
	cta->id[0] = (uint32_t)(linear % l->grid[0]);
	cta->id[1] = (uint32_t)(linear / l->grid[0] % l->grid[1]);
	cta->id[2] = (uint32_t)(linear / l->grid[0] / l->grid[1]);
}

bool exec_start_cta(struct exec *x, struct exec_cta *cta, uint32_t cta_slot, const struct exec_launch *l,
		    uint64_t linear)
{
	struct arena *a = x->arena;
	uint64_t special = (uint64_t)cta_slot * EXEC_WARPS_PER_CTA * ISA_SPECIAL_BYTES;
	if (!arena_use(a, x->sec_special, special + (uint64_t)EXEC_WARPS_PER_CTA * ISA_SPECIAL_BYTES))
		return false;
	place_block(cta, l, linear);
	memset(cta->barrier, 0, sizeof cta->barrier);
	cta->launch = l->id;
	cta->n_warps = l->warps_per_cta;
	cta->n_done = cta->current = cta->n_opened = cta->last_child = 0;
	cta->shared = heap_alloc(a, x->sec_shared, l->shared_bytes);
	cta->shared_bytes = l->shared_bytes;
	cta->param = l->param_offset;
	cta->param_bytes = l->param_bytes;
	memset(cta->warp, 0, cta->n_warps * sizeof cta->warp[0]);
	cta->used = true;
	bool ok = cta->shared != 0 && (!x->stream_tables || exec_streams_start(x, cta_slot, l));
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		struct exec_warp *w = &cta->warp[k];
		w->cta = cta_slot;
		w->index = k;
		w->special = special + (uint64_t)k * ISA_SPECIAL_BYTES;
		ok = ok && start_warp(x, cta, w, l);
	}
	if (!ok) {
		exec_finish_cta(x, cta);
		return false;
	}
	memset(arena_at(a, x->sec_shared, cta->shared), 0, l->shared_bytes);
	if (x->program->functions[l->function]->is_plus)
		prepare_plus(x, cta, l);
	cta->special_launch = l->id + 1;
	return true;
}

/* Entries of an activation lie together, unless the warp is mixed. */
static bool first_with_frame(const struct exec_warp *w, const struct exec_simt *s, uint32_t k)
{
	if (!w->mixed)
		return !k || s[k].frame != s[k - 1].frame;
	for (uint32_t below = 0; below < k; below++)
		if (s[below].frame == s[k].frame)
			return false;
	return true;
}

static void finish_warp(struct exec *x, struct exec_warp *w)
{
	struct exec_simt *s = arena_at(x->arena, x->sec_simt, w->simt);
	for (uint32_t k = 0; k < w->n_simt; k++)
		if (first_with_frame(w, s, k))
			heap_free(x->arena, x->sec_frame, s[k].frame, s[k].frame_bytes);
	heap_free(x->arena, x->sec_simt, w->simt, w->cap_simt * sizeof(struct exec_simt));
	if (w->local_stride)
		heap_free(x->arena, x->sec_local, w->local, (uint64_t)LANES * w->local_stride);
	heap_free(x->arena, x->sec_frame, w->errors, LANES * sizeof(uint16_t));
	w->errors = 0;
	w->n_simt = 0;
	w->simt = w->local = 0;
	w->state = EXEC_WARP_UNUSED;
}

void exec_finish_cta(struct exec *x, struct exec_cta *cta)
{
	for (uint32_t k = 0; k < cta->n_warps; k++)
		finish_warp(x, &cta->warp[k]);
	if (exec_pending_count(x))
		exec_pending_drop_block(x, cta->warp[0].cta);
	heap_free(x->arena, x->sec_shared, cta->shared, cta->shared_bytes);
	cta->used = false;
}
