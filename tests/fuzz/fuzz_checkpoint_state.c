/* What a checkpoint file with a right checksum may say of a machine: fields of the restored state are changed, one or a few, before the validators look at
 * them. A state that they take must run, and everything must be able to look at it.
 *
 * The first byte chooses configuration and mode, the second how far the machine has come; each 8 bytes after them are the seed of one change. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/setup/buffers.h"
#include "command/command.h"
#include "base/files.h"
#include "checkpoint/internal.h"
#include "command/inspect.h"
#include "command/dump/dump.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "command/why/why.h"
#include "gpu/input.h"
#include "frontend/frontend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SECONDS 60 /* that one state may take: more is a hang */

/* Barriers, both kinds of atomics, all memories, calls, divergence; kernels that launch others, and wait for them; lanes that wait for lanes of their warp. */
static const char program[] =
	".version 7.0\n.target sm_70\n.address_size 64\n.const .u32 con[16] = {1, 2, 3};\n.global .u32 seen[4];\n"
	".func (.reg .u32 %out) twice(.reg .u32 %in) {\n .reg .pred %p<2>; .reg .u32 %r<4>; .local .u32 l[4]; .reg .u64 %rd<2>;\n"
	" mov.u64 %rd1, l; st.local.u32 [%rd1], %in; setp.gt.u32 %p1, %in, 1000; @%p1 bra big; ld.local.u32 %r1, [%rd1]; "
	"add.u32 %out, %in, %r1; ret;\nbig:\n mov.u32 %out, 7; ret;\n}\n"
	".visible .entry many(.param .u64 p) {\n"
	" .reg .u64 %rd<9>; .reg .u32 %r<16>; .reg .pred %p<4>; .shared .align 4 .b8 sh[512];\n"
	" ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mov.u32 %r6, 0; mov.u32 %r7, sh;\n"
	" and.b32 %r2, %r1, 63; shl.b32 %r2, %r2, 2; add.u32 %r7, %r7, %r2; mad.lo.u32 %r3, %r5, 64, %r1;\n"
	" mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2; mov.u64 %rd4, con; and.b32 %r9, %r1, 15;\n"
	" mul.wide.u32 %rd5, %r9, 4; add.u64 %rd5, %rd4, %rd5;\n"
	"again:\n ld.global.u32 %r4, [%rd2]; ld.const.u32 %r10, [%rd5]; add.u32 %r4, %r4, %r10;\n"
	" call (%r4), twice, (%r4);\n st.shared.u32 [%r7], %r4; bar.sync 0;\n"
	" setp.gt.u32 %p1, %r1, 40; @%p1 atom.global.add.u32 %r8, [%rd1+2048], %r4; @!%p1 bra skip;\n xor.b32 %r4, %r4, %r8;\n"
	"skip:\n atom.shared.add.u32 %r11, [%r7], 1; bar.warp.sync 0xffffffff; st.global.u32 [%rd2], %r4;\n"
	" red.global.add.u32 [seen], 1; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 6; @%p1 bra again;\n ret;\n}\n"
	".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);\n"
	".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);\n"
	".extern .func (.param .b32 r) cudaDeviceSynchronize();\n"
	".extern .func (.param .b32 r) cudaMalloc(.param .b64 a, .param .b64 b);\n"
	".visible .entry family(.param .u64 p, .param .u32 depth) {\n"
	" .reg .u64 %rd<9>; .reg .u32 %r<9>; .reg .pred %p<3>; .shared .align 8 .u64 at;\n"
	" ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [depth]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2;\n"
	" ld.global.u32 %r3, [%rd2]; add.u32 %r3, %r3, 1; st.global.u32 [%rd2], %r3;\n"
	" setp.eq.u32 %p1, %r1, 0; @%p1 bra over; setp.ne.u32 %p1, %r2, 0; @%p1 bra over;\n"
	" mov.u64 %rd5, at; cvta.shared.u64 %rd5, %rd5;\n"
	" { .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd5; st.param.b64 [b], 24;\n"
	"   call.uni (r), cudaMalloc, (a, b); ld.param.b32 %r4, [r]; }\n"
	" mov.u64 %rd3, family;\n"
	" { .param .b64 a; .param .align 4 .b8 b[12]; .param .align 4 .b8 c[12]; .param .b32 d; .param .b64 r;\n"
	"   st.param.b64 [a], %rd3; st.param.b32 [b], 2; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;\n"
	"   st.param.b32 [c], 33; st.param.b32 [c+4], 1; st.param.b32 [c+8], 1; st.param.b32 [d], 0;\n"
	"   call.uni (r), cudaGetParameterBufferV2, (a, b, c, d); ld.param.b64 %rd4, [r]; }\n"
	" setp.eq.u64 %p2, %rd4, 0; @%p2 bra over; sub.u32 %r1, %r1, 1;\n"
	" st.u64 [%rd4], %rd1; st.u32 [%rd4+8], %r1;\n"
	" { .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd4; st.param.b64 [b], 0;\n"
	"   call.uni (r), cudaLaunchDeviceV2, (a, b); ld.param.b32 %r4, [r]; }\n"
	" { .param .b32 r; call.uni (r), cudaDeviceSynchronize; ld.param.b32 %r4, [r]; }\n"
	"over: ret;\n"
	"}\n"
	".visible .entry locks(.param .u64 p) {\n"
	" .reg .u64 %rd<5>; .reg .u32 %r<9>; .reg .pred %p<3>;\n"
	" ld.param.u64 %rd1, [p];\n"
	"taken: atom.global.cas.b32 %r1, [%rd1+8], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra taken;\n"
	" ld.volatile.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd1], %r2; membar.gl;\n"
	" atom.global.exch.b32 %r3, [%rd1+8], 0; ret;\n"
	"}\n"
	/* each thread waits for the one behind it, over lanes, warps and blocks; in between lanes wait for members and at a barrier */
	".visible .entry chain(.param .u64 p, .param .u32 n) {\n"
	" .reg .u64 %rd<5>; .reg .u32 %r<16>; .reg .pred %p<5>;\n"
	" ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n"
	" mad.lo.u32 %r5, %r3, %r4, %r2; mul.wide.u32 %rd2, %r5, 4; add.u64 %rd2, %rd1, %rd2; st.volatile.global.u32 [%rd2], 0;\n"
	" bar.sync 0; setp.lt.u32 %p3, %r2, 16; @%p3 bra upper; shfl.sync.idx.b32 %r6, %r2, 0, 31, 0xffffffff; bra.uni met;\n"
	"upper: shfl.sync.idx.b32 %r6, %r2, 1, 31, 0xffff;\n"
	"met: add.u32 %r7, %r5, 1; setp.ge.u32 %p1, %r7, %r1; @%p1 bra last;\n"
	"spin: ld.volatile.global.u32 %r8, [%rd2+4]; add.u32 %r9, %r9, 1; setp.ne.u32 %p2, %r8, 1; @%p2 bra spin;\n"
	"last: st.volatile.global.u32 [%rd2], 1; ret;\n"
	"}\n"
	/* waits that nothing ends: one warp at a barrier, one in a loop; a lock taken twice */
	".visible .entry stuck(.param .u64 p) {\n"
	" .reg .u64 %rd<5>; .reg .u32 %r<9>; .reg .pred %p<3>;\n"
	" ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 40; @%p1 bra waits;\n"
	"taken: atom.global.cas.b32 %r2, [%rd1+256], 0, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra taken;\n"
	"again: atom.global.cas.b32 %r2, [%rd1+256], 0, 1; add.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra again;\n"
	"waits: bar.sync 1, 64; ret;\n"
	"}\n";

struct kind {
	const char *config;
	enum session_mode mode;
	const char *option; /* or NULL */
	const char *launch; /* or NULL: `many` */
};
static const struct kind kinds[] = {
	{"tiny", SESSION_FUNCTIONAL, NULL, NULL},
	{"fermi-gtx480", SESSION_FUNCTIONAL, NULL, NULL},
	{"gt200-quadrofx5800", SESSION_FUNCTIONAL, NULL, NULL},
	{"tiny", SESSION_PERFORMANCE, NULL, NULL},
	{"fermi-gtx480", SESSION_PERFORMANCE, NULL, NULL},
	{"gt200-quadrofx5800", SESSION_PERFORMANCE, NULL, NULL},
	{"v42-gtx480", SESSION_PERFORMANCE, NULL, NULL},
	{"tiny", SESSION_PERFORMANCE, "-network_mode 1 -gpgpu_n_clusters 3 -inter_config_file /tmp/fuzz-mesh.icnt", NULL},
	{"tiny", SESSION_FUNCTIONAL, NULL, "family<<<2, 33>>>(A, 3)"},
	{"fermi-gtx480", SESSION_PERFORMANCE, NULL, "family<<<2, 33>>>(A, 3)"},
	{"tiny", SESSION_FUNCTIONAL, NULL, "locks<<<2, 64>>>(A)"},
	{"tiny", SESSION_PERFORMANCE, NULL, "locks<<<2, 64>>>(A)"},
	{"tiny", SESSION_FUNCTIONAL, "-gpgpu_independent_threads 1", "chain<<<3, 64>>>(A, 192)"},
	{"fermi-gtx480", SESSION_PERFORMANCE, "-gpgpu_independent_threads 1", "chain<<<3, 64>>>(A, 192)"},
	{"tiny", SESSION_FUNCTIONAL, "-gpgpu_independent_threads 0", "chain<<<3, 64>>>(A, 192)"},
	{"tiny", SESSION_FUNCTIONAL, NULL, "stuck<<<3, 64>>>(A)"},
	{"tiny", SESSION_PERFORMANCE, "-gpgpu_independent_threads 1", "stuck<<<3, 64>>>(A)"},
};
/* A network of routers: the other configurations have a single crossbar. */
static void write_mesh(void)
{
	static bool is_written;
	FILE *f = is_written ? NULL : fopen("/tmp/fuzz-mesh.icnt", "w");
	is_written = true;
	if (!f)
		return;
	fputs("sim_type = gpgpusim; topology = mesh; k = 2; n = 2; use_map = 0; routing_function = dor; flit_size = 32; subnets = 2;\n"
	      "num_vcs = 16; vc_buf_size = 4; vc_allocator = islip; sw_allocator = islip; wait_for_tail_credit = 0;\n",
	      f);
	fclose(f);
}
#define KINDS (sizeof kinds / sizeof *kinds)
#define MOMENTS 8u

static struct session *make_session(const struct kind *k)
{
	static const char *const options[] = {"-gpgpu_deadlock_detect 1"};
	const char *own[2] = {options[0], k->option};
	const struct session_setup setup = {
		.config = k->config, .options = own, .n_options = k->option ? 2 : 1, .mode = k->mode};
	struct text messages = {0};
	enum session_failure failure;
	write_mesh();
	struct session *s = session_create(&setup, &messages, &failure);
	if (!s) {
		fprintf(stderr, "%s", text_str(&messages));
		abort();
	}
	text_free(&messages);
	command_attach(session_debug(s));
	return s;
}

static void run(struct session *s, command_run_fn *fn, const char *args)
{
	struct debug_stop stop;
	struct text why = {0};
	debug_stop_init(&stop);
	fn(session_debug(s), args, &stop, &why);
	debug_stop_free(&stop);
	text_free(&why);
}

static void show(struct session *s, debug_answer_fn *fn, const char *args)
{
	struct text out = {0}, why = {0};
	debug_answer_text(session_debug(s), fn, args, &out, &why);
	text_free(&out);
	text_free(&why);
}

static void ask(struct session *s, const char *args)
{
	struct report *const answer = report_create();
	struct text why = {0};
	command_why(session_history(s), args, answer, &why);
	report_destroy(answer);
	text_free(&why);
}

/* A machine in the middle of its first launch, with two more and other things in its streams. */
static void prepare(struct session *s, const char *launch, unsigned moment)
{
	struct debug *d = session_debug(s);
	struct diag_list diags;
	struct text notes = {0};
	char steps[16];
	diag_list_init(&diags);
	if (!frontend_load_text(gpu_program(debug_gpu(d)), 0, "many.ptx", program, sizeof program - 1, &diags))
		abort();
	debug_program_changed(d, &notes);
	show(s, command_buffer, "A u32[1024] = iota");
	show(s, command_buffer, "B f32[64] = zero");
	run(s, command_launch_kernel, launch ? launch : "many<<<6, 96>>>(A)");
	run(s, command_launch_kernel, "many<<<2, 32>>>(A)");
	struct gpu_operation_spec o = {.kind = GPU_OPERATION_RECORD,
				       .event = (uint32_t)session_input(s, &(struct gpu_input){.kind = GPU_INPUT_EVENT}, &notes)};
	session_input(s, &(struct gpu_input){.kind = GPU_INPUT_OPERATION, .operation = o}, &notes);
	snprintf(steps, sizeof steps, "%u", 20 + moment * moment * (launch ? 400 : 45));
	run(s, command_step, steps);
	if (moment & 1)
		run(s, command_stepi, "1");
	text_free(&notes);
	diag_list_free(&diags);
}

/* Files of such machines, each made once. */
static const char *base(const struct kind *k, unsigned moment, size_t *n)
{
	static struct {
		char *file;
		size_t n;
	} made[KINDS][MOMENTS];
	const size_t which = (size_t)(k - kinds);
	if (!made[which][moment].file) {
		struct session *s = make_session(k);
		struct text out = {0};
		char path[64];
		prepare(s, k->launch, moment);
		snprintf(path, sizeof path, "/tmp/fuzz-state-%ld.wsc", (long)getpid());
		if (!checkpoint_save(s, path, &out, &out))
			abort();
		made[which][moment].file = files_read(NULL, path, FILES_READ, SIZE_MAX, &made[which][moment].n);
		unlink(path);
		text_free(&out);
		session_destroy(s);
	}
	*n = made[which][moment].n;
	return made[which][moment].file;
}

/* ---- changes ---- */

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

struct changes {
	const uint8_t *seed;
	size_t n;
};

/* A place that holds something, where there is one: most of a section is zeros. */
static uint64_t choose_place(const struct arena_section *s, uint64_t *state)
{
	uint64_t at = draw(state) % s->used;
	if (draw(state) % 4)
		for (uint64_t k = 0; k < 1 << 16 && at < s->used && !s->base[at]; k++)
			at++;
	return at < s->used ? at : draw(state) % s->used;
}

static uint64_t changed_value(uint64_t v, const struct arena_section *s, uint64_t *state)
{
	static const uint64_t values[] = {0, 1, 2, 3, 31, 32, 33, 63, 64, 255, 256, 4095, 4096, 65535, 65536,
					  UINT32_MAX, UINT32_MAX - 1, INT32_MAX, UINT64_MAX, UINT64_MAX / 2 + 1};
	uint64_t other = 0;
	switch (draw(state) % 6) {
	case 0: return v + 1;
	case 1: return v - 1;
	case 2: return v ^ UINT64_C(1) << draw(state) % 64;
	case 3: return values[draw(state) % (sizeof values / sizeof *values)];
	case 4: memcpy(&other, s->base + draw(state) % s->used / 8 * 8, 8); return other;
	default: return draw(state) % 3 ? draw(state) % 128 : draw(state);
	}
}

/* Mostly one of those that hold the most structure. */
static unsigned choose_section(const struct arena *a, uint64_t *state)
{
	static const char *const rich[] = {"timing", "timing", "pools", "requests", "cta", "device", "frame", "launch", "wait", "paths"};
	const char *name = rich[draw(state) % 10];
	if (draw(state) % 2)
		for (unsigned k = 0; k < a->n; k++)
			if (!strcmp(a->section[k].name, name))
				return k;
	return (unsigned)(draw(state) % a->n);
}

static void change_one(struct gpu *g, uint64_t seed)
{
	static const unsigned widths[] = {1, 2, 4, 4, 4, 8, 8};
	struct arena *a = gpu_arena(g);
	uint64_t state = seed | 1;
	for (int k = 0; k < 8; k++)
		draw(&state);
	for (int tries = 0; tries < 100; tries++) {
		const unsigned section = choose_section(a, &state);
		struct arena_section *s = &a->section[section];
		/* what programs read and write, and counts, may hold anything */
		if (s->is_tool_state || s->used < 8 || (!strcmp(s->name, "global") && draw(&state) % 16) ||
		    (!strcmp(s->name, "counts") && draw(&state) % 16) || (!strcmp(s->name, "const") && draw(&state) % 16))
			continue;
		const unsigned width = widths[draw(&state) % 7];
		const uint64_t at = choose_place(s, &state) / width * width;
		uint64_t v = 0;
		if (at + 8 > s->used)
			continue;
		memcpy(&v, s->base + at, width);
		v = changed_value(v, s, &state);
		arena_touch(a, (int)section, at, width);
		memcpy(s->base + at, &v, width);
		if (getenv("FUZZ_SHOW"))
			fprintf(stderr, "%s+%llu (%u): %llx\n", s->name, (unsigned long long)at, width, (unsigned long long)v);
		return;
	}
}

static void change(void *self, struct gpu *g)
{
	const struct changes *c = self;
	uint64_t seed;
	for (size_t k = 0; k + 8 <= c->n; k += 8) {
		memcpy(&seed, c->seed + k, 8);
		change_one(g, seed);
	}
}

/* ---- what is taken runs ---- */

static void look(struct session *s)
{
	static const char *const numbers[] = {"0", "1", "2"};
	for (size_t k = 0; k < info_n; k++)
		show(s, info_rows[k].fn, "");
	for (size_t k = 0; k < info_cuda_n; k++)
		show(s, info_cuda_rows[k].fn, "");
	for (size_t k = 0; k < 3; k++) {
		show(s, command_dp, numbers[k]);
		show(s, command_dm, numbers[k]);
		show(s, command_dicnt, numbers[k]);
	}
	show(s, command_dicnt, "");
	show(s, statistics_answer, "");
	ask(s, "hang");
	ask(s, "warp 0");
	ask(s, "barrier");
	ask(s, "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t taken, refused;
	struct text why = {0};
	size_t n;
	if (size < 2)
		return 0;
	const struct kind *k = &kinds[data[0] % KINDS];
	const char *file = base(k, data[1] % MOMENTS, &n);
	struct changes c = {data + 2, size - 2 < 32 ? size - 2 : 32};
	const struct checkpoint_change changes = {change, &c};
	struct session *s = make_session(&kinds[0]);
	const uint64_t before = arena_digest(gpu_arena(debug_gpu(session_debug(s))));
	alarm(SECONDS);
	const bool ok = checkpoint_restore_frame(s, file + heading_bytes(), n - heading_bytes(), "x.wsc", &changes, &why);
	if (!ok && (!why.n || before != arena_digest(gpu_arena(debug_gpu(session_debug(s))))))
		abort();
	if (getenv("FUZZ_SHOW"))
		fprintf(stderr, "%s%s\n", ok ? "taken" : "refused: ", ok ? "" : text_str(&why));
	*(ok ? &taken : &refused) += 1;
	if (ok) {
		look(s);
		run(s, command_step, "1");
		run(s, command_stepi, "3");
		run(s, command_step, "200");
		look(s);
		run(s, command_step, "3000");
		look(s);
	} else {
		/* the machine of before */
		show(s, command_buffer, "C u32[16] = iota");
	}
	session_destroy(s);
	alarm(0);
	text_free(&why);
	if (getenv("FUZZ_COUNT") && (taken + refused) % 100 == 0)
		fprintf(stderr, "%llu taken, %llu refused\n", (unsigned long long)taken, (unsigned long long)refused);
	return 0;
}
