/* Registers: what gdb asks of an x86-64, of which a lane has a pc and a made-up stack pointer, and some of a lane's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "gdbstub/threads/room.h"
#include "gdbstub/wire/packet.h"

/* The registers gdb wants to see before it believes in an x86-64 (feature org.gnu.gdb.i386.core), in its order. */
static const struct {
	const char *name, *type;
	uint8_t bytes;
} core[] = {
	{"rax", "int64", 8},	 {"rbx", "int64", 8},	  {"rcx", "int64", 8},	   {"rdx", "int64", 8},
	{"rsi", "int64", 8},	 {"rdi", "int64", 8},	  {"rbp", "data_ptr", 8},  {"rsp", "data_ptr", 8},
	{"r8", "int64", 8},	 {"r9", "int64", 8},	  {"r10", "int64", 8},	   {"r11", "int64", 8},
	{"r12", "int64", 8},	 {"r13", "int64", 8},	  {"r14", "int64", 8},	   {"r15", "int64", 8},
	{"rip", "code_ptr", 8},	 {"eflags", "int32", 4},  {"cs", "int32", 4},	   {"ss", "int32", 4},
	{"ds", "int32", 4},	 {"es", "int32", 4},	  {"fs", "int32", 4},	   {"gs", "int32", 4},
	{"st0", "i387_ext", 10}, {"st1", "i387_ext", 10}, {"st2", "i387_ext", 10}, {"st3", "i387_ext", 10},
	{"st4", "i387_ext", 10}, {"st5", "i387_ext", 10}, {"st6", "i387_ext", 10}, {"st7", "i387_ext", 10},
	{"fctrl", "int", 4},	 {"fstat", "int", 4},	  {"ftag", "int", 4},	   {"fiseg", "int", 4},
	{"fioff", "int", 4},	 {"foseg", "int", 4},	  {"fooff", "int", 4},	   {"fop", "int", 4},
};
#define N_CORE (sizeof core / sizeof *core)

/* A lane's own, by names that no x86 register has. */
enum own {
	OWN_UID,
	OWN_TID_X,
	OWN_TID_Y,
	OWN_TID_Z,
	OWN_CTAID_X,
	OWN_CTAID_Y,
	OWN_CTAID_Z,
	OWN_LANEID,
	OWN_WARPID,
	OWN_SMID,
	OWN_KERNEL,
	OWN_ACTIVE,
	OWN_CYCLE,
	N_OWN
};
static const struct {
	const char *name, *type;
	uint8_t bytes;
} own[N_OWN] = {
	[OWN_UID] = {"uid", "uint64", 8},	  [OWN_TID_X] = {"tid_x", "uint32", 4},
	[OWN_TID_Y] = {"tid_y", "uint32", 4},	  [OWN_TID_Z] = {"tid_z", "uint32", 4},
	[OWN_CTAID_X] = {"ctaid_x", "uint32", 4}, [OWN_CTAID_Y] = {"ctaid_y", "uint32", 4},
	[OWN_CTAID_Z] = {"ctaid_z", "uint32", 4}, [OWN_LANEID] = {"laneid", "uint32", 4},
	[OWN_WARPID] = {"warpid", "uint32", 4},	  [OWN_SMID] = {"smid", "uint32", 4},
	[OWN_KERNEL] = {"kernel", "uint32", 4},	  [OWN_ACTIVE] = {"active", "uint32", 4},
	[OWN_CYCLE] = {"cycle", "uint64", 8},
};

/* Feature org.gnu.gdb.i386.sse. gdb has to have these, or it fails an assertion of its own when `finish` looks for a float; they come
 * after all others and aren't part of `g`, so that gdb asks for them one by one when it wants them. */
#define N_XMM 16u
#define SSE_FIRST (N_CORE + N_OWN)
#define N_SSE (N_XMM + 1u) /* and mxcsr */

static unsigned registers_count(void) { return SSE_FIRST + N_SSE; }

static void reg_row(struct text *out, const char *name, unsigned bytes, const char *type, unsigned number)
{
	text_addf(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\"/>", name, 8 * bytes, type, number);
}

void registers_target_xml(struct text *out)
{
	text_add(out,
		 "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
		 "<architecture>i386:x86-64</architecture><osabi>none</osabi><feature name=\"org.gnu.gdb.i386.core\">");
	for (unsigned i = 0; i < N_CORE; i++)
		reg_row(out, core[i].name, core[i].bytes, core[i].type, i);
	text_add(out, "</feature><feature name=\"org.warpstep.lane\">");
	for (unsigned i = 0; i < N_OWN; i++)
		reg_row(out, own[i].name, own[i].bytes, own[i].type, (unsigned)N_CORE + i);
	text_add(out, "</feature><feature name=\"org.gnu.gdb.i386.sse\">");
	for (unsigned i = 0; i < N_XMM; i++) {
		char name[8];
		snprintf(name, sizeof name, "xmm%u", i);
		reg_row(out, name, 16, "uint128", (unsigned)SSE_FIRST + i);
	}
	reg_row(out, "mxcsr", 4, "int", (unsigned)SSE_FIRST + N_XMM);
	text_add(out, "</feature></target>");
}

/* rax, rdx, xmm0 and xmm1 of a thread that a function has returned to. */
static bool returned_value(struct stub *s, const struct thread_view *v, unsigned half, bool is_float, uint64_t *out)
{
	struct returned r;
	if (half > 1 || !returned_read(s, v, &r) || (r.in_memory && (half || is_float)))
		return false;
	if (r.in_memory)
		*out = r.address;
	else if (r.is_mixed) /* the first register of a class has the half that is of it */
		memcpy(out, r.value + (r.floats_first == is_float ? 0 : 8), 8);
	else
		memcpy(out, r.value + 8 * (size_t)half, 8);
	return true;
}

/* There it has no rsp. By that gdb takes its variables for unavailable ones, and its frame for another than the kernel's: a watchpoint on a
 * variable of that is over. If it were the same, gdb would look for the variable, not find it, and refuse each step and continue. */
static bool is_at_exit(const struct thread_view *v)
{
	return v->pc == STUB_EXIT_AT + (uint64_t)v->w.launch.function * ISA_INSN_BYTES;
}

static bool core_value(struct stub *s, const struct thread_view *v, unsigned number, uint64_t *out)
{
	*out = 0;
	switch (number) {
	case REGISTER_RAX: return returned_value(s, v, 0, false, out);
	case REGISTER_RDX: return returned_value(s, v, 1, false, out);
	case REGISTER_RIP: *out = v->is_host ? STUB_HOST_AT : v->pc; return true;
	case REGISTER_RSP: *out = v->sp; return v->is_host || !is_at_exit(v);
	case 12: /* base of the block's shared memory, of the thread's local memory, of dynamic shared memory */
		*out = v->is_host ? 0 : memory_shared_base(&v->w);
		return !v->is_host;
	case 13: *out = v->is_host ? 0 : memory_local_base(&v->w); return !v->is_host;
	case 14: *out = v->is_host ? 0 : memory_shared_base(&v->w) + v->w.launch.dynamic_base; return !v->is_host;
	default: return false;
	}
}

static bool own_value(struct stub *s, const struct thread_view *v, enum own which, uint64_t *out)
{
	const struct debug_where *w = &v->w;
	if (which == OWN_CYCLE) {
		*out = gpu_cycle(debug_gpu(s->d));
		return true;
	}
	if (v->is_host)
		return false;
	switch (which) {
	case OWN_UID: *out = w->uid; break;
	case OWN_TID_X:
	case OWN_TID_Y:
	case OWN_TID_Z: *out = w->thread_id[which - OWN_TID_X]; break;
	case OWN_CTAID_X:
	case OWN_CTAID_Y:
	case OWN_CTAID_Z: *out = w->block_id[which - OWN_CTAID_X]; break;
	case OWN_LANEID: *out = w->lane; break;
	case OWN_WARPID: *out = w->warp; break;
	case OWN_SMID: *out = w->core; break;
	case OWN_KERNEL: *out = w->thread.launch; break;
	default: *out = debug_active_lanes(s->d, w); break;
	}
	return true;
}

bool register_value(struct stub *s, const struct thread_view *v, unsigned number, uint64_t *out)
{
	if (number < N_CORE)
		return core_value(s, v, number, out);
	if (number < SSE_FIRST)
		return own_value(s, v, (enum own)(number - N_CORE), out);
	return number < SSE_FIRST + N_XMM && returned_value(s, v, number - (unsigned)SSE_FIRST, true, out);
}

static unsigned register_bytes(unsigned number)
{
	if (number < N_CORE)
		return core[number].bytes;
	if (number < SSE_FIRST)
		return own[number - N_CORE].bytes;
	return number < SSE_FIRST + N_XMM ? 16 : 4;
}

bool register_hex(struct stub *s, const struct thread_view *v, unsigned number, struct text *out)
{
	uint64_t value[2] = {0, 0}; /* little endian, as the host */
	if (number >= registers_count())
		return false;
	unsigned bytes = register_bytes(number);
	if (register_value(s, v, number, &value[0])) {
		rsp_hex(out, value, bytes);
		return true;
	}
	for (unsigned i = 0; i < bytes; i++)
		text_add(out, "xx");
	return true;
}

/* ---- packets ---- */

#define FEW_REPORTED 16u /* places */

/* gdb has rip and rsp from the stop reply, rip of other threads by `p`: each once, then it keeps them. The others it reads when it first
 * wants one of them, rsp among them: often never, for a step it wants none. If the machine has been run meanwhile, rsp would be of another
 * place than rip, and the frame that gdb has made would change under it: gdb 13 aborts when its user steps. So rsp stays as it was with
 * rip, until gdb resumes that thread or has thrown away what it knew (`maintenance flush register-cache`): then it asks for rip again.
 * Other clients get rip and rsp by `g`, once a stop has had them. */
static struct reported_pc *reported_place(const struct stub *s, uint64_t tid)
{
	size_t i = hash_bytes(&tid, sizeof tid, 0) & (s->threads->cap_reported - 1);
	while (s->threads->reported[i].run == s->threads->reported_run && s->threads->reported[i].tid != tid)
		i = (i + 1) & (s->threads->cap_reported - 1);
	return &s->threads->reported[i];
}

static struct reported_pc *reported_of(const struct stub *s, uint64_t tid)
{
	struct reported_pc *t = s->threads->n_reported ? reported_place(s, tid) : NULL;
	return t && t->run == s->threads->reported_run && !t->is_over ? t : NULL;
}

static void reported_grow(struct stub *s)
{
	struct reported_pc *old = s->threads->reported;
	size_t n_old = s->threads->cap_reported;
	s->threads->cap_reported = n_old ? 2 * n_old : FEW_REPORTED;
	s->threads->reported = xcalloc(s->threads->cap_reported, sizeof *s->threads->reported);
	for (size_t i = 0; i < n_old; i++)
		if (old[i].run == s->threads->reported_run)
			*reported_place(s, old[i].tid) = old[i];
	free(old);
}

void registers_reported(struct stub *s, uint64_t tid, const struct thread_view *v)
{
	if (2 * s->threads->n_reported >= s->threads->cap_reported)
		reported_grow(s);
	struct reported_pc *t = reported_place(s, tid);
	s->threads->n_reported += t->run != s->threads->reported_run;
	*t = (struct reported_pc){.tid = tid, .pc = v->pc, .sp = v->sp, .run = s->threads->reported_run};
}

void registers_forget(struct stub *s)
{
	s->threads->reported_run++;
	s->threads->n_reported = 0;
}

bool registers_next_reported(struct stub *s, size_t *at, uint64_t *tid)
{
	while (s->threads->n_reported && *at < s->threads->cap_reported) {
		const struct reported_pc *t = &s->threads->reported[(*at)++];
		*tid = t->tid;
		if (t->run == s->threads->reported_run && !t->is_over)
			return true;
	}
	return false;
}

/* By its first `g` gdb finds out that rip isn't in it. It is to do so when it attaches: later it would ask for both where it wants rip
 * because it has thrown away what it knew, and the `g` alone doesn't show that. So the stop it begins with doesn't have them. */
bool registers_come_with_stop(const struct stub *s) { return !s->is_gdb || s->threads->has_begun; }

enum packet_result packet_g(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	const struct thread_view *v = view_of(s, s->tid_g);
	if (!v)
		return PACKET_NO_THREAD;
	s->threads->has_read_data = true;
	struct thread_view then = *v;
	struct reported_pc *t = reported_of(s, s->tid_g);
	if (t) {
		then.pc = t->pc;
		then.sp = t->sp;
	}
	for (unsigned i = 0; i < (s->is_gdb ? REGISTER_RIP : SSE_FIRST); i++)
		register_hex(s, &then, i, reply);
	if (t && !s->is_gdb)
		t->is_over = true;
	return PACKET_REPLY;
}

enum packet_result packet_p(struct stub *s, const struct args *a, struct text *reply)
{
	const struct thread_view *v = view_of(s, s->tid_g);
	if (!v)
		return PACKET_NO_THREAD;
	s->threads->has_read_data = true;
	if (s->is_gdb && a->v[0].v == REGISTER_RIP)
		registers_reported(s, s->tid_g, v);
	return a->v[0].v < registers_count() && register_hex(s, v, (unsigned)a->v[0].v, reply) ? PACKET_REPLY
											       : PACKET_BAD;
}

static enum packet_result refused(struct text *reply)
{
	text_add(reply, "E.a lane can't be moved by itself, nor call functions: its registers can't be written "
			"(PTX registers are variables)");
	return PACKET_REPLY;
}

/* gdb's registers are made up: what they say follows from where the warp is, so they can't be written. Writing back what is
 * there already is no change. */
enum packet_result packet_P(struct stub *s, const struct args *a, struct text *reply)
{
	const struct thread_view *v = view_of(s, s->tid_g);
	struct text now = {0};
	if (!v)
		return PACKET_NO_THREAD;
	bool same = a->v[0].v < registers_count() && register_hex(s, v, (unsigned)a->v[0].v, &now) &&
		    now.n == a->v[1].n && !memcmp(now.s, a->v[1].s, now.n);
	text_free(&now);
	return same ? PACKET_OK : refused(reply);
}

enum packet_result packet_G(struct stub *s, const struct args *a, struct text *reply)
{
	struct text now = {0};
	enum packet_result r = packet_g(s, a, &now);
	bool same = r == PACKET_REPLY && now.n == a->v[0].n && !memcmp(text_str(&now), a->v[0].s, now.n);
	text_free(&now);
	return same ? PACKET_OK : r == PACKET_REPLY ? refused(reply) : r;
}
