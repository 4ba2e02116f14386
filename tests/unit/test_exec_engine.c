/* Engines: a second one, which executes a single instruction at a time and looks at each, gives the same machine as the interpreter, in everything: digests,
 * counts, events, stops at marks. And block ends, as lowering keeps them, against what the instructions themselves say. */
#include "command/setup/buffers.h"
#include "command/stop/stop_commands.h"
#include "test_debug_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/files.h"
#include "exec/engine.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"

#define FOLDER "../differential/"
#define MAX_KERNELS 32

/* ---- the stepping engine ---- */
struct stepper {
	struct exec_engine base;
	uint64_t n_steps, n_jumps;
};

/* Returns true if control may leave the sequence after an instruction. */
static bool may_jump(const struct exec *x, uint32_t pc)
{
	const struct isa_insn *i = &x->program->insns[pc];
	const uint8_t family = isa_opcode_info[i->opcode].family;
	/* a call, and what makes other lanes of the warp run: barriers, and instructions at which lanes wait for each other */
	return i->ends_block || family == ISA_FAMILY_CALL || family == ISA_FAMILY_BARRIER || family == ISA_FAMILY_WARP ||
	       i->opcode == ISA_OP_NANOSLEEP;
}

/* Checks that the warp goes from one instruction to the next one, or jumps where code may be left, to where a block may begin. */
static void check_way(struct stepper *s, const struct exec *x, uint32_t from)
{
	const struct exec_simt *top = exec_simt_top(x, x->warp);
	if (!x->warp->n_simt || top->pc == from + 1)
		return;
	s->n_jumps++;
	if (!may_jump(x, from) && !x->program->insns[from].ends_block)
		fail_msg("from %u to %u", from, top->pc);
}

static enum exec_status step_run(struct exec *x, struct exec_cta *cta, uint32_t warp, uint64_t budget)
{
	struct stepper *s = (struct stepper *)(void *)(uintptr_t)x->engine;
	enum exec_status status = EXEC_BUDGET;
	for (uint64_t k = 0; k < budget && status == EXEC_BUDGET; k++) {
		const uint64_t executed = cta->warp[warp].executed;
		const uint32_t from = exec_simt_top(x, &cta->warp[warp])->pc;
		status = exec_interpreter.run(x, cta, warp, 1);
		s->n_steps += cta->warp[warp].executed - executed;
		if (status == EXEC_BUDGET && cta->warp[warp].executed != executed)
			check_way(s, x, from);
	}
	return status;
}

static void stepper_init(struct stepper *s)
{
	*s = (struct stepper){.base = {.name = "stepper", .run = step_run}};
}

/* ---- whole kernels ---- */
struct results {
	uint64_t digest[MAX_KERNELS], insns[MAX_KERNELS];
	unsigned n;
};

static void begin(struct fixture *f, const struct exec_engine *e)
{
	struct diag_list diags = {0};
	memset(f, 0, sizeof *f);
	f->config = config_create();
	assert_true(config_finish(f->config, &diags));
	diag_list_free(&diags);
	struct gpu *g = gpu_create(f->config, NULL, NULL);
	assert_non_null(g);
	assert_ptr_equal(gpu_exec(g)->engine, &exec_interpreter);
	if (e)
		exec_set_engine(gpu_exec(g), e);
	f->d = debug_create(g, &(struct debug_host){.self = f, .output = fixture_output});
	command_attach(f->d);
}

/* All kernels of the file, which take (u32 *out, const u32 *in, u32 n) and blocks of 128 threads. */
static void run_all(const char *file, const char *ptx, const struct exec_engine *e, struct results *r)
{
	struct fixture f;
	char words[256];
	begin(&f, e);
	fixture_load(&f, file, ptx);
	struct gpu *g = debug_gpu(f.d);
	const struct isa_program *p = gpu_program(g);
	for (uint32_t i = 0; i < p->n_functions && r->n < MAX_KERNELS; i++) {
		struct gpu_stats stats;
		if (!p->functions[i]->is_kernel)
			continue;
		says(&f, command_buffer, "in u32[1000] = random 7");
		says(&f, command_buffer, "out u32[1000] = zero");
		snprintf(words, sizeof words, "%s<<<8, 128, 1024>>>(out, in, 1000)", p->functions[i]->name);
		HAS(runs(&f, command_run_kernel, words), "finished");
		gpu_get_stats(g, &stats);
		r->insns[r->n] = stats.warp_insns;
		r->digest[r->n++] = arena_digest(gpu_arena(g));
	}
	fixture_end(&f);
}

static void compare(const char *file)
{
	char path[128];
	size_t n;
	struct results with_interpreter = {0}, with_stepper = {0};
	struct stepper s;
	snprintf(path, sizeof path, FOLDER "%s", file);
	char *ptx = files_read(NULL, path, FILES_READ, 1 << 24, &n);
	assert_non_null(ptx);
	stepper_init(&s);
	run_all(file, ptx, NULL, &with_interpreter);
	run_all(file, ptx, &s.base, &with_stepper);
	assert_int_equal(with_stepper.n, with_interpreter.n);
	assert_in_range(with_stepper.n, 10, MAX_KERNELS);
	for (unsigned k = 0; k < with_stepper.n; k++) {
		assert_int_equal(with_stepper.insns[k], with_interpreter.insns[k]);
		if (with_stepper.digest[k] != with_interpreter.digest[k])
			fail_msg("%s: the machine after kernel %u depends on the engine", file, k);
	}
	assert_true(s.n_steps > 10000 && s.n_jumps > 100);
	free(ptx);
}

static void kernels(void **state)
{
	(void)state;
	compare("programs-sm75.ptx");
	compare("programs-G.ptx");
	compare("kernels-clang-sm70-O0.ptx");
}

/* ---- stops ---- */

/* Appends what the prompt shows at a breakpoint, a watchpoint and after steps of a kernel. */
static void session_of(const char *ptx, const struct exec_engine *e, struct text *out)
{
	struct fixture f;
	begin(&f, e);
	fixture_load(&f, "kernels.ptx", ptx);
	says(&f, command_buffer, "A f32[4096] = fill 0.5");
	says(&f, command_buffer, "C f32[4096] = zero");
	says(&f, command_break, "mm_tiled");
	text_add(out, runs(&f, command_run_kernel, "mm_tiled<<<(4,4), (16,16)>>>(C, A, A, 64)"));
	for (unsigned k = 0; k < 30; k++)
		text_add(out, runs(&f, command_stepi, k % 3 ? "" : "7"));
	says(&f, breakpoints_delete, "1");
	text_add(out, says(&f, command_watch, "C[65]"));
	for (unsigned k = 0; k < 3; k++)
		text_add(out, runs(&f, command_continue, ""));
	text_addf(out, "%llx", (unsigned long long)arena_digest(gpu_arena(debug_gpu(f.d))));
	fixture_end(&f);
}

/* Breakpoints, steps and watchpoints stop at the same places, whatever the engine. */
static void stops(void **state)
{
	struct text one = {0}, other = {0};
	struct stepper s;
	size_t n;
	(void)state;
	char *ptx = files_read(NULL, "../../bench/kernels.ptx", FILES_READ, 1 << 24, &n);
	assert_non_null(ptx);
	stepper_init(&s);
	session_of(ptx, NULL, &one);
	session_of(ptx, &s.base, &other);
	HAS(text_str(&one), "C[65]");
	assert_string_equal(text_str(&one), text_str(&other));
	text_free(&one);
	text_free(&other);
	free(ptx);
}

/* ---- block ends ---- */

/* Marks where blocks begin in a function: at the start, behind what leaves the sequence, and at each target. */
static void mark_begins(const struct isa_program *p, const struct isa_function *f, bool *begins)
{
	begins[f->first] = true;
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const struct isa_insn *i = &p->insns[pc];
		const uint8_t family = isa_opcode_info[i->opcode].family;
		const bool never_returns = family == ISA_FAMILY_CALL && i->handler != ISA_H_call_indirect &&
					   i->target < p->n_functions && p->functions[i->target]->is_noreturn;
		if (family == ISA_FAMILY_BRANCH || i->opcode == ISA_OP_EXIT || i->opcode == ISA_OP_RET ||
		    i->opcode == ISA_OP_TRAP || never_returns)
			begins[pc + 1] = true;
		if (i->opcode == ISA_OP_BRA && i->target != ISA_NO_TARGET)
			begins[i->target] = true;
		for (uint32_t k = 0; i->opcode == ISA_OP_BRX && k < p->aux[i->aux]; k++)
			begins[p->aux[i->aux + 1 + k]] = true;
	}
}

static void check_ends(const struct isa_program *p, const struct isa_function *f, const bool *begins)
{
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const bool ends = pc + 1 == f->end || begins[pc + 1];
		uint32_t first, end;
		if (p->insns[pc].ends_block != ends)
			fail_msg("%s, instruction %u: ends_block is %d", f->name, pc, p->insns[pc].ends_block);
		isa_program_block(p, f, pc, &first, &end);
		assert_true(first <= pc && pc < end && begins[first] && (end == f->end || begins[end]));
		for (uint32_t k = first + 1; k < end; k++)
			assert_false(begins[k]);
	}
}

static void block_ends(void **state)
{
	static const char *const files[] = {FOLDER "programs-sm75.ptx", FOLDER "programs-G.ptx",
					    FOLDER "kernels-clang-sm70-O0.ptx", "../../bench/kernels.ptx"};
	(void)state;
	for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
		struct fixture f;
		size_t n;
		char *ptx = files_read(NULL, files[k], FILES_READ, 1 << 24, &n);
		assert_non_null(ptx);
		begin(&f, NULL);
		fixture_load(&f, "k.ptx", ptx);
		const struct isa_program *p = gpu_program(debug_gpu(f.d));
		bool *begins = calloc(p->n_insns + 1u, sizeof *begins);
		assert_non_null(begins);
		for (uint32_t i = 0; i < p->n_functions; i++)
			if (p->functions[i]->is_defined)
				mark_begins(p, p->functions[i], begins);
		for (uint32_t i = 0; i < p->n_functions; i++)
			if (p->functions[i]->is_defined)
				check_ends(p, p->functions[i], begins);
		free(begins);
		free(ptx);
		fixture_end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(kernels), cmocka_unit_test(stops), cmocka_unit_test(block_ends)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
