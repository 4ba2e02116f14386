/* How handlers are written, found and called. Private to src/exec.
 *
 * A handler executes one warp instruction: void exec_h_NAME(struct exec *x, const struct isa_insn *i). exec_run calls it with
 *     x->mask    lanes that execute: active and guard; never 0 (an instruction that no lane executes is only counted)
 *     x->active  lanes of the SIMT stack's top entry
 *     x->pc      the instruction's index
 * and continues with the next instruction unless x->event was set. Handlers change only lanes of x->mask. There is one row
 * HANDLER(name) in isa/handlers_*.def for each:
 *
 *   handlers_alu.def, handlers_cvt.def      HANDLER(name) is built per instruction-set level, HANDLER_ONCE(name) once
 *   handlers_mem.def, handlers_control.def  HANDLER(name) is built once, HANDLER_LEVELED(name) and HANDLER_MEMORY(name) per level
 *
 * An instruction that accesses memory has one body and two handlers, HANDLER_MEMORY per level, HANDLER_ATOMIC once: exec_h_NAME for a machine without
 * watchers, exec_o_NAME for one with watchers (MEMORY_HANDLER, memory.h). HANDLER_EFFECT(name, kind) rows are barriers, control flow,
 * warp-level instructions and fences: they have exec_h_NAME, and an exec_o_NAME made around it (observed.c). watcher.c chooses the table.
 *
 * Per level means: the function is written as LANES_HANDLER(name) { ... } in a file lanes_*.c. Those files are compiled with
 * -DLANES_LEVEL=v2, v3 and v4 (-march=x86-64-v2 ...; LANES_LEVEL=generic elsewhere); everything else they define is static, or
 * named with LANES_NAME(). Once means: EXEC_HANDLER(name) { ... } in any other file. lanes_table.c collects them into
 * exec_table_v2, _v3, _v4, exec_observed_v2 ...: arrays indexed by enum isa_handler, from which exec_init takes a pair. A row whose function is missing
 * doesn't link.
 *
 * Faults and watched accesses stop in front of the instruction: exec_raise, exec_raise_access and exec_stop_access must be
 * called before the first effect, and the handler returns right after. */
#ifndef EXEC_INTERNAL_H
#define EXEC_INTERNAL_H

#include <string.h>

#include "exec/exec.h"
#include "isa/handlers.h"
#include "isa/special.h"

#define EXEC_HANDLER(name) void exec_h_##name(struct exec *x, const struct isa_insn *i)
#define EXEC_OBSERVED(name) void exec_o_##name(struct exec *x, const struct isa_insn *i)

/* ---- handlers and tables per level ---- */
#define EXEC_PASTE_(a, b) a##_##b
#define EXEC_PASTE(a, b) EXEC_PASTE_(a, b)
#ifdef LANES_LEVEL
#define LANES_NAME(name) EXEC_PASTE(name, LANES_LEVEL)
#define LANES_HANDLER(name) void LANES_NAME(exec_h_##name)(struct exec * x, const struct isa_insn *i)
#define LANES_OBSERVED(name) void LANES_NAME(exec_o_##name)(struct exec * x, const struct isa_insn *i)
#endif
#if defined(__x86_64__)
#define EXEC_LEVELS(X) X(v2) X(v3) X(v4)
#else
#define EXEC_LEVELS(X) X(generic)
#endif

#define EXEC_DECLARE_TABLE(level) \
	extern const exec_handler exec_table_##level[ISA_HANDLER_COUNT], exec_observed_##level[ISA_HANDLER_COUNT];
EXEC_LEVELS(EXEC_DECLARE_TABLE)
/* tables whose handlers report each instruction to one watcher, or to several (observed.c) */
extern const exec_handler exec_checked[ISA_HANDLER_COUNT], exec_checked_by_several[ISA_HANDLER_COUNT];
EXEC_HANDLER(UNSUPPORTED);

/* prototypes of everything: built once, and at every level */
#define EXEC_DECLARE_ONCE(name) EXEC_HANDLER(name);
#ifdef LANES_LEVEL
#define EXEC_DECLARE_LEVELED(name) LANES_HANDLER(name);
#define EXEC_DECLARE_MEMORY(name) \
	LANES_HANDLER(name); \
	LANES_OBSERVED(name);
#else
#define EXEC_DECLARE_LEVELED(name)
#define EXEC_DECLARE_MEMORY(name)
#endif
#undef HANDLER_ONCE
#undef HANDLER_LEVELED
#undef HANDLER_MEMORY
#undef HANDLER_ATOMIC
#undef HANDLER_EFFECT
#define ALIAS(name, handler)
#define HANDLER(name) EXEC_DECLARE_LEVELED(name)
#define HANDLER_ONCE(name) EXEC_DECLARE_ONCE(name)
#include "isa/handlers_alu.def"
#include "isa/handlers_cvt.def"
#undef HANDLER
#undef HANDLER_ONCE
#define HANDLER(name) EXEC_DECLARE_ONCE(name)
#define HANDLER_LEVELED(name) EXEC_DECLARE_LEVELED(name)
#define HANDLER_MEMORY(name) EXEC_DECLARE_MEMORY(name)
#define HANDLER_ATOMIC(name) \
	EXEC_HANDLER(name); \
	EXEC_OBSERVED(name);
#define HANDLER_EFFECT(name, kind) HANDLER_ATOMIC(name)
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
#undef HANDLER
#undef HANDLER_LEVELED
#undef HANDLER_MEMORY
#undef HANDLER_ATOMIC
#undef HANDLER_EFFECT
#undef ALIAS

/* ---- rows ---- */
/* Returns the first byte of an operand's row. */
static inline char *exec_operand(const struct exec *x, uint32_t ref)
{
	return __builtin_assume_aligned(x->base[ISA_REF_BASE(ref)] + ISA_REF_OFFSET(ref), 64);
}
/* Returns a source row of 32-bit lanes. Source and destination may be the same row, so handlers compute into a local row first. */
static inline const uint32_t *exec_src32(const struct exec *x, uint32_t ref)
{
	return (const uint32_t *)(const void *)exec_operand(x, ref);
}
/* Returns a source row of 64-bit lanes. */
static inline const uint64_t *exec_src64(const struct exec *x, uint32_t ref)
{
	return (const uint64_t *)(const void *)exec_operand(x, ref);
}
/* Returns a destination row of 16-bit lanes; `ref` must not be ISA_REF_NONE. */
static inline uint16_t *exec_dst16(const struct exec *x, uint32_t ref)
{
	return (uint16_t *)(void *)exec_operand(x, ref);
}
/* Returns a destination row of 32-bit lanes; `ref` must not be ISA_REF_NONE. */
static inline uint32_t *exec_dst32(const struct exec *x, uint32_t ref)
{
	return (uint32_t *)(void *)exec_operand(x, ref);
}
/* Returns a destination row of 64-bit lanes; `ref` must not be ISA_REF_NONE. */
static inline uint64_t *exec_dst64(const struct exec *x, uint32_t ref)
{
	return (uint64_t *)(void *)exec_operand(x, ref);
}

/* ---- predicates ---- */
/* Returns the lanes in which a predicate operand is true: a slot, perhaps with ISA_PRED_NOT, but not ISA_PRED_NONE. */
static inline uint32_t exec_pred(const struct exec *x, uint32_t p)
{
	return x->preds[ISA_PRED_SLOT(p)] ^ (0u - (p >> 31));
}
/* Writes the lanes x->mask of a predicate slot. Slot ISA_PRED_SINK takes results that no instruction reads. */
static inline void exec_pred_write(struct exec *x, uint32_t slot, uint32_t value)
{
	uint32_t *p = &x->preds[slot];
	*p = (*p & ~x->mask) | (value & x->mask);
}

/* ---- events: what makes exec_run look up after a handler returned ---- */
#define EXEC_EVENT(status) ((uint32_t)(status) + 1u) /* leave with this enum exec_status */
#define EXEC_EVENT_SLEEP 0x101u /* nanosleep: the top entry's lanes go on after it, but others first */
#define EXEC_EVENT_CONTROL 0x100u		     /* simt.c changed the SIMT stack: go on at its top entry's pc */

/* Raises a fault in front of the instruction. `fmt` makes the detail; NULL leaves it empty. */
__attribute__((format(printf, 4, 5))) void exec_raise(struct exec *x, enum exec_fault_kind kind, uint32_t lanes,
						      const char *fmt, ...);
/* Of a memory access: `address` is that of the lowest lane, in `space`. */
enum exec_access_kind { EXEC_READ = 1, EXEC_WRITE = 2, EXEC_ATOMIC = 4 };
/* Raises the fault of a memory access in front of the instruction. `address` is that of the lowest faulting lane in `space`; access_kinds is a sum
 * of enum exec_access_kind. */
void exec_raise_access(struct exec *x, enum exec_fault_kind kind, uint32_t lanes, enum isa_space space,
		       uint64_t address, uint32_t size, unsigned access_kinds);
/* Stops in front of the instruction for a watcher; x->effect must be filled. */
static inline void exec_stop_access(struct exec *x) { x->event = EXEC_EVENT(EXEC_ACCESS); }

/* ---- watchers (watcher.c) ---- */
/* Makes *w the only watcher; flags of pages stay as they are. For a trial run, which then restores all of *x. */
void exec_watch_alone(struct exec *x, const struct exec_watcher *w);
/* Frees the memory of x->watching. */
void exec_watchers_free(struct exec *x);

/* ---- memory that belongs to warps ---- */
/* Returns the host address of a lane's local memory at a local address. The caller has checked that the access ends within x->local_stride. */
static inline char *exec_local_at(const struct exec *x, unsigned lane, uint64_t address)
{
	return x->local + (uint64_t)lane * x->local_stride + address;
}

/* ---- library functions without a body: builtins.def has a row BUILTIN(name) for each, a function exec_b_NAME executes it ----
 * They run as the call instruction itself, for the lanes of x->mask, and may raise faults as handlers do. */
#define EXEC_BUILTIN(name) void exec_b_##name(struct exec *x, const struct isa_insn *i)
#define BUILTIN(name) EXEC_BUILTIN(name);
#define BUILTIN_ID(id) EXEC_BUILTIN(id);
#define BUILTIN_NAME(name, id)
#include "isa/builtins.def"

/* Copies argument k of a call for one lane to dst: min(n, its size) bytes, the rest of dst zero. Arguments are numbered as in isa_program.aux,
 * return values first. Returns false if the call has no argument k. */
bool exec_arg_read(const struct exec *x, const struct isa_insn *i, unsigned k, unsigned lane, void *dst, unsigned n);
/* Writes up to n bytes, at most 16, to argument k of a call for one lane. Returns false if the call has no argument k. */
bool exec_arg_write(struct exec *x, const struct isa_insn *i, unsigned k, unsigned lane, const void *src, unsigned n);
/* Returns the number of arguments of call `i`, return values included. */
unsigned exec_arg_count(const struct exec *x, const struct isa_insn *i);
/* Returns the size in bytes of argument k of a call, return values first. Returns 0 if the call has no argument k. */
unsigned exec_arg_bytes(const struct exec *x, const struct isa_insn *i, unsigned k);

#endif
