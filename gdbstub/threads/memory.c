/* Memory by gdb's addresses. A generic address is what it is on the device, seen by the thread that is selected; besides, each
 * block's shared memory, each lane's local memory and each lane's register frames have an address of their own, which means the
 * same for every thread. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/image/image.h"
#include "gdbstub/threads/room.h"

uint64_t memory_shared_base(const struct debug_where *w)
{
	return STUB_SHARED_REGION | (w->uid - w->thread.thread) << STUB_UID_SHIFT;
}

uint64_t memory_local_base(const struct debug_where *w) { return STUB_LOCAL_REGION | w->uid << STUB_UID_SHIFT; }

/* What an address means: a thread and a generic address as it sees it, or a place on a made-up stack. */
struct place {
	bool is_stack, has_thread;
	struct debug_where w;
	uint64_t uid, generic, offset;
};

static bool place_of_uid(struct stub *s, uint64_t address, uint64_t window, struct place *p)
{
	struct debug_thread t;
	p->uid = (address & ~STUB_REGION_MASK) >> STUB_UID_SHIFT;
	p->offset = address & STUB_OFFSET_MASK;
	p->generic = window + p->offset;
	p->has_thread = debug_thread_of_uid(s->d, p->uid, &t) && debug_thread_where(s->d, &t, &p->w);
	return p->has_thread;
}

static bool find_place(struct stub *s, uint64_t tid, uint64_t address, struct place *p)
{
	memset(p, 0, sizeof *p);
	if (address >> 63)
		return false;
	switch (address & STUB_REGION_MASK) {
	case 0:
		p->generic = address;
		p->has_thread = thread_where(s, tid, &p->w);
		return true;
	case STUB_SHARED_REGION: return place_of_uid(s, address, EXEC_SHARED_WINDOW, p);
	case STUB_LOCAL_REGION: return place_of_uid(s, address, EXEC_LOCAL_WINDOW, p);
	case STUB_STACK_REGION: p->is_stack = true; return place_of_uid(s, address, 0, p);
	default: return false;
	}
}

/* ---- register frames ---- */

/* A register within a run of them: its ref and width, and which of its bytes the offset means. */
struct reg_byte {
	uint32_t ref;
	unsigned width, at;
};

static struct reg_byte byte_of(const struct frame_reg *r, uint32_t offset)
{
	unsigned width = isa_row_bytes(isa_type_bytes((enum isa_type)r->type)) / LANES;
	uint32_t number = (offset - r->at) / width;
	return (struct reg_byte){r->ref + number * width * LANES, width, (offset - r->at) % width};
}

static uint64_t slot_value(const struct thread_view *v, const struct view_frame *f, bool is_return)
{
	if (!is_return)
		return memory_local_base(&v->w) + f->a.local_sp;
	return f + 1 < v->frames + v->n_frames ? stub_pc(f[1].a.pc + 1) : 0; /* after the call */
}

/* Reads bytes of one thing (a register, a slot), as many as it has, n at most. */
static size_t read_piece(struct stub *s, const struct thread_view *v, uint64_t address, unsigned char *dst, size_t n)
{
	const struct view_frame *f = view_frame_at(v, address);
	if (!f || (!f->a.has_state && !f->a.waiting))
		return 0;
	uint32_t offset = (uint32_t)(address - f->sp);
	const struct frame_reg *r = frame_register(f->layout, offset);
	unsigned char bytes[16] = {0};
	unsigned at = 0, width = 1;
	if (r && r->is_pred) {
		bool set;
		if (!view_predicate_read(s, v, &f->a, r->ref + (offset - r->at) / STUB_PRED_BYTES, &set))
			return 0;
		bytes[0] = set;
		at = (offset - r->at) % STUB_PRED_BYTES;
		width = STUB_PRED_BYTES;
	} else if (r) {
		struct reg_byte b = byte_of(r, offset);
		if (!view_register_read(s, v, &f->a, b.ref, b.width, bytes))
			return 0;
		at = b.at;
		width = b.width;
	} else if (offset >= f->layout->local_slot) {
		bool is_return = offset >= f->layout->return_slot;
		uint32_t slot = is_return ? f->layout->return_slot : f->layout->local_slot;
		uint64_t value = slot_value(v, f, is_return);
		at = offset - slot;
		width = at < 8 ? 8 : at + 1;
		memcpy(bytes, &value, 8);
	}
	size_t k = width - at < n ? width - at : n;
	memcpy(dst, at < 16 ? bytes + at : bytes, at < 16 ? k : 0);
	return k;
}

static size_t read_stack(struct stub *s, const struct place *p, uint64_t address, unsigned char *dst, size_t n)
{
	const struct thread_view *v = view_of_uid(s, p->uid);
	size_t done = 0;
	while (v && done < n) {
		size_t k = read_piece(s, v, address + done, dst + done, n - done);
		if (!k)
			break;
		done += k;
	}
	return done;
}

static size_t write_piece(struct stub *s, const struct thread_view *v, uint64_t address, const unsigned char *src,
			  size_t n)
{
	const struct view_frame *f = view_frame_at(v, address);
	if (!f || !f->a.has_state)
		return 0;
	uint32_t offset = (uint32_t)(address - f->sp);
	const struct frame_reg *r = frame_register(f->layout, offset);
	unsigned char bytes[16];
	if (!r)
		return 0;
	if (r->is_pred) {
		uint32_t at = (offset - r->at) % STUB_PRED_BYTES, k = STUB_PRED_BYTES - at;
		if (!at) /* the other bytes are always 0 */
			debug_predicate_write(s->d, &v->w, &f->a, r->ref + (offset - r->at) / STUB_PRED_BYTES,
					      *src != 0);
		return k < n ? k : n;
	}
	struct reg_byte b = byte_of(r, offset);
	size_t k = b.width - b.at < n ? b.width - b.at : n;
	debug_register_read(s->d, &v->w, &f->a, b.ref, b.width, bytes);
	memcpy(bytes + b.at, src, k);
	debug_register_write(s->d, &v->w, &f->a, b.ref, b.width, bytes);
	return k;
}

/* gdb begins a call of a function by writing a breakpoint, int3, below the stack: past the 128 bytes that x86-64's ABI has there
 * and what alignment takes. That is let pass: the registers, which it writes next, are refused with a reason, memory can't be. */
static bool begins_call(struct stub *s, uint64_t tid, uint64_t address, const unsigned char *src, size_t n)
{
	if (n != 1 || *src != 0xcc)
		return false;
	const struct thread_view *v = view_of(s, tid);
	return v && address < v->sp && v->sp - address <= 128 + 16;
}

static bool write_stack(struct stub *s, const struct place *p, uint64_t address, const unsigned char *src, size_t n)
{
	size_t done = 0;
	const struct thread_view *seen = view_of_uid(s, p->uid);
	if (seen && seen->snapshot)
		return false; /* what was can't be changed */
	while (done < n) {
		/* each write makes the view old */
		const struct thread_view *v = view_of_uid(s, p->uid);
		size_t k = v ? write_piece(s, v, address + done, src + done, n - done) : 0;
		if (!k)
			return false;
		done += k;
	}
	return true;
}

/* ---- code ---- */

/* Around code and places no-operations can be read too: front ends show hundreds of instructions before and after pc (VS Code 200,
 * each of up to 26 bytes), and give up at an address without memory. */
#define CODE_MARGIN 65536u

static bool is_around(uint64_t at, uint64_t first, uint64_t end)
{
	return at + CODE_MARGIN >= first && at < end + CODE_MARGIN;
}

/* Instructions; the places where threads are before they begin and after they have exited, and the host. */
static size_t read_code(struct stub *s, uint64_t address, unsigned char *dst, size_t n)
{
	const struct isa_program *program = stub_program(s);
	uint64_t end = EXEC_CODE_WINDOW + (uint64_t)program->n_insns * ISA_INSN_BYTES;
	uint64_t places = (uint64_t)program->n_functions * ISA_INSN_BYTES;
	size_t done = 0;
	for (; done < n; done++) {
		uint64_t at = address + done, bytes = IMAGE_LAUNCH_BYTES;
		if (at >= EXEC_CODE_WINDOW && at < end)
			bytes = image_instruction_bytes(s, (uint32_t)((at - EXEC_CODE_WINDOW) / ISA_INSN_BYTES));
		else if (!is_around(at, EXEC_CODE_WINDOW, end) && !is_around(at, STUB_EXIT_AT, STUB_EXIT_AT + places) &&
			 !is_around(at, STUB_HOST_AT, STUB_LAUNCH_AT + places))
			break;
		dst[done] = (unsigned char)(bytes >> 8 * (at % ISA_INSN_BYTES));
	}
	return done;
}

/* ---- threadIdx and the like ---- */

static size_t read_places_of(const struct place *p, uint32_t warp_threads, unsigned char *dst, size_t n)
{
	uint32_t v[13];
	memcpy(v, p->w.thread_id, 12);
	memcpy(v + 3, p->w.block_id, 12);
	memcpy(v + 6, p->w.launch.block, 12);
	memcpy(v + 9, p->w.launch.grid, 12);
	v[12] = warp_threads;
	size_t at = p->offset - STUB_PLACES_OFFSET, k = at < sizeof v ? sizeof v - at : 0;
	k = k < n ? k : n;
	memcpy(dst, (const char *)v + (k ? at : 0), k);
	return k;
}

static bool is_places(const struct place *p, uint64_t address)
{
	return (address & STUB_REGION_MASK) == STUB_LOCAL_REGION && p->offset >= STUB_PLACES_OFFSET;
}

/* ---- all of it ---- */

/* The margin before the code is where the largest of constant memories would end. */
bool memory_is_code(struct stub *s, uint64_t generic)
{
	return generic >= EXEC_CODE_WINDOW - CODE_MARGIN && generic < EXEC_MODULE_GLOBALS &&
	       (generic >= EXEC_CODE_WINDOW || !debug_readable(s->d, NULL, generic));
}

size_t memory_read(struct stub *s, uint64_t tid, uint64_t address, void *dst, size_t n)
{
	struct place p;
	if (!find_place(s, tid, address, &p))
		return 0;
	if (p.is_stack)
		return read_stack(s, &p, address, dst, n);
	if (is_places(&p, address))
		return read_places_of(&p, gpu_exec(debug_gpu(s->d))->warp_threads, dst, n);
	if (memory_is_code(s, p.generic))
		return read_code(s, p.generic, dst, n);
	const struct debug_where *w = p.has_thread ? &p.w : NULL;
	if (debug_bytes_read(s->d, w, p.generic, dst, n))
		return n;
	size_t done = 0; /* not all of it: the part up to the first gap */
	while (done < n) {
		uint64_t k = debug_readable(s->d, w, p.generic + done);
		if (k > n - done)
			k = n - done;
		if (!k || !debug_bytes_read(s->d, w, p.generic + done, (char *)dst + done, k))
			break;
		done += k;
	}
	return done;
}

/* Translates a pointer that gdb writes, `p q = &local[1]`: gdb's own address of the thread's local or its block's shared memory becomes the program's.
 * Returns false for one that the program has no address for: another thread's memory, or a register. */
static bool translate_pointer(struct stub *s, uint64_t tid, uint64_t *pointer)
{
	struct debug_where w;
	struct place p;
	if (!(*pointer & STUB_REGION_MASK) || !find_place(s, tid, *pointer, &p) || !thread_where(s, tid, &w))
		return true;
	const uint64_t own = *pointer & ~STUB_OFFSET_MASK;
	if (p.is_stack || is_places(&p, *pointer) || (own != memory_shared_base(&w) && own != memory_local_base(&w)))
		return false;
	*pointer = p.generic;
	return true;
}

bool memory_write(struct stub *s, uint64_t tid, uint64_t address, const void *src, size_t n)
{
	struct place p;
	uint64_t pointer;
	if (!n || begins_call(s, tid, address, src, n))
		return true;
	if (!find_place(s, tid, address, &p))
		return false;
	if (n == sizeof pointer) {
		memcpy(&pointer, src, n);
		if (!translate_pointer(s, tid, &pointer))
			return false;
		src = &pointer;
	}
	if (p.is_stack)
		return write_stack(s, &p, address, src, n);
	return !memory_is_code(s, p.generic) && debug_bytes_write(s->d, p.has_thread ? &p.w : NULL, p.generic, src, n);
}

static void map_row(struct text *out, uint64_t start, uint64_t length)
{
	text_addf(out, "<memory type=\"ram\" start=\"0x%llx\" length=\"0x%llx\"/>", (unsigned long long)start,
		  (unsigned long long)length);
}

void memory_map_xml(struct text *out)
{
	text_add(out,
		 "<?xml version=\"1.0\"?><!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" "
		 "\"http://sourceware.org/gdb/gdb-memory-map.dtd\"><memory-map>");
	map_row(out, EXEC_SHARED_WINDOW,
		STUB_HOST_END - EXEC_SHARED_WINDOW); /* the device's, and what is known of the host's */
	map_row(out, STUB_SHARED_REGION, UINT64_C(3) << 60);
	text_add(out, "</memory-map>");
}

/* What gdb sees of a thread's frames. The caller frees *bytes. */
static size_t stack_bytes(struct stub *s, uint64_t uid, uint64_t from, unsigned char **bytes)
{
	size_t n = STUB_STACK_TOP - (from & STUB_OFFSET_MASK);
	*bytes = xmalloc(n + 1);
	return memory_read(s, thread_tid(s, uid), from, *bytes, n);
}

bool memory_same_registers(struct stub *s, uint64_t uid, uint64_t from)
{
	unsigned char *then, *now;
	view_forget(s);
	size_t n = stack_bytes(s, uid, from, &then);
	bool before = view_machine(s, true);
	size_t n_now = stack_bytes(s, uid, from, &now);
	view_machine(s, before);
	bool same = n == n_now && !memcmp(then, now, n);
	free(then);
	free(now);
	return same;
}
