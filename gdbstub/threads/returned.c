/* What a function has returned, for gdb's `finish`: where gdb looks for it on an x86-64 (System V ABI, "Returning of Values").
 *
 * A thread that stands right after a call has what the call returned in the caller's place for it: a register, a predicate, or a
 * variable of its local frame. gdb decides by the type: integers are in rax, rdx, floats in xmm0, xmm1, larger things where rax points
 * to. For most types the same eight bytes can be offered in both; of structures of 9 to 16 bytes with floats in one half and something
 * else in the other one the type in the source says which half is which. */
#include <string.h>

#include "debug/csource/cnames.h"
#include "gdbstub/image/image.h"
#include "gdbstub/threads/threads.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

enum place_kind { PLACE_ROW, PLACE_PRED, PLACE_LOCAL }; /* as isa_program.aux has them for calls */

/* The function that the call went to, as far as that can still be seen. */
static const struct isa_function *callee_of(struct stub *s, const struct thread_view *v, const struct debug_frame *a,
					    const struct isa_insn *call)
{
	const struct isa_program *p = stub_program(s);
	uint64_t address = 0;
	if (call->handler != ISA_H_call_indirect)
		return call->target < p->n_functions ? p->functions[call->target] : NULL;
	if (call->a_bytes > sizeof address || ISA_REF_BASE(call->a) != ISA_BASE_FRAME)
		return NULL;
	if (!view_register_read(s, v, a, call->a, call->a_bytes, &address))
		return NULL;
	uint64_t index = (address - EXEC_CODE_WINDOW) / ISA_INSN_BYTES;
	return address >= EXEC_CODE_WINDOW && index < p->n_insns ? isa_program_function_at(p, (uint32_t)index) : NULL;
}

/* ---- the classes of the two halves of a value (System V ABI for x86-64, 3.2.3) ---- */

#define VALUE_MAX 16u
#define PARTS_MAX 1000u /* looked at for a type */

/* An eightbyte of nothing but floats is SSE, any other one INTEGER. */
enum value_class { CLASS_NONE, CLASS_SSE, CLASS_INTEGER };
struct classes {
	enum value_class half[2];
	unsigned n_parts;
};

/* Adds a part of the value, `at` bytes from its beginning. Returns false if it is none of 16 bytes. */
static bool classify(struct classes *c, const struct ctype *type, uint64_t at)
{
	const struct ctype *t = ctype_core(type);
	if (at >= VALUE_MAX || c->n_parts++ > PARTS_MAX || !type)
		return false;
	if (ctype_is_struct(t)) {
		for (uint32_t i = 0; i < t->n_members; i++)
			if (!classify(c, t->members[i].type, at + t->members[i].offset))
				return false;
		return true;
	}
	if (t->kind == CTYPE_ARRAY) {
		for (uint64_t i = 0; i < t->count && at + i * ctype_bytes(t->target) < VALUE_MAX; i++)
			if (!classify(c, t->target, at + i * ctype_bytes(t->target)))
				return false;
		return !t->is_open;
	}
	const bool is_float =
		t->kind == CTYPE_BASE && (t->scalar == ISA_F16 || t->scalar == ISA_F32 || t->scalar == ISA_F64);
	const enum value_class class = is_float ? CLASS_SSE : CLASS_INTEGER;
	if (c->half[at / 8] < class)
		c->half[at / 8] = class;
	return true;
}

static void note_classes(const struct stub *s, const struct isa_function *f, struct returned *r)
{
	const struct cscope *scope = cnames_function(s->d, f);
	struct classes c = {.n_parts = 0};
	r->is_mixed = scope && classify(&c, scope->result, 0) && c.half[1] != CLASS_NONE && c.half[0] != c.half[1];
	r->floats_first = r->is_mixed && c.half[0] == CLASS_SSE;
}

/* Kind, place, bytes and type of the value on the caller's side; NULL: the thread isn't after a call, or nothing was returned. */
static const uint32_t *place_behind_call(struct stub *s, const struct thread_view *v, struct returned *r)
{
	const struct isa_program *p = stub_program(s);
	const struct debug_frame *a = v->n_frames ? &v->frames[0].a : NULL;
	if (!a || !a->has_state || a->pc <= a->function->first || a->pc >= a->function->end || v->pc != stub_pc(a->pc))
		return NULL;
	const struct isa_insn *call = &p->insns[a->pc - 1];
	if (call->opcode != ISA_OP_CALL || call->handler == ISA_H_UNSUPPORTED)
		return NULL;
	const uint32_t *words = &p->aux[call->aux];
	const struct isa_function *f = words[0] ? callee_of(s, v, a, call) : NULL;
	if (!f || !f->n_params || !(f->params[0].flags & ISA_VAR_RETURN) || words[2] == ISA_REF_NONE)
		return NULL;
	note_classes(s, f, r);
	return words + 1;
}

bool returned_read(struct stub *s, const struct thread_view *v, struct returned *r)
{
	memset(r, 0, sizeof *r);
	const uint32_t *place = v->is_host ? NULL : place_behind_call(s, v, r);
	if (!place)
		return false;
	const struct debug_frame *a = &v->frames[0].a;
	size_t n = place[2] < sizeof r->value ? place[2] : sizeof r->value;
	unsigned width = isa_row_bytes((unsigned)n) / LANES;
	bool ok, set;
	switch ((enum place_kind)place[0]) {
	case PLACE_PRED:
		ok = view_predicate_read(s, v, a, place[1], &set);
		r->value[0] = set;
		return ok;
	case PLACE_LOCAL:
		r->address = memory_local_base(&v->w) + a->local_sp + place[1];
		r->in_memory = place[2] > sizeof r->value;
		return debug_bytes_read(s->d, &v->w, EXEC_LOCAL_WINDOW + a->local_sp + place[1], r->value, n);
	default: return view_register_read(s, v, a, place[1], width, r->value);
	}
}
