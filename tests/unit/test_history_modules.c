/* src/history over modules that come and go: in front of a load its kernels aren't there, in front of an unload they are, and the machine is the same to
 * the last bit at each point. */
#include "command/setup/buffers.h"
#include "command/stop/stop_commands.h"
#include "history_machine.h"
#include "frontend/frontend.h"
#include "isa/link/modules.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"

/* Each thread adds its module's number to a variable and a table of the module, and to p. The variables lie where those of the one before lay. */
#define MODULE(number, more) \
	HEAD ".visible .global .u32 sum = " number "000;\n.const .u32 addend = " number \
	     ";\n.global .u32 table[" number "00];\n" \
	     ".visible .entry add" number \
	     "(.param .u64 p) {\n .reg .u64 %rd<6>; .reg .u32 %r<6>; .reg .pred %q;\n" more \
	     " ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r4, 0;\nagain:\n" \
	     " ld.const.u32 %r2, [addend]; atom.global.add.u32 %r3, [sum], %r2;\n" \
	     " mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; red.global.add.u32 [%rd3], %r3;\n" \
	     " mov.u64 %rd4, table; add.u64 %rd5, %rd4, %rd2; st.global.u32 [%rd5], %r3;\n" \
	     " add.u32 %r4, %r4, 1; setp.lt.u32 %q, %r4, 12;\n @%q bra again;\n ret;\n}\n"

/* Registers of a high number: the third module's scoreboards are wider. */
#define WIDE ".reg .u32 %wide<400>;\nmov.u32 %wide399, 1;\n"

static const char *const ptx[] = {MODULE("1", ""), MODULE("2", ""), MODULE("3", WIDE)};
enum { MODULES = 3, STEPS = 14, MOST = MODULES * (STEPS + 4) };

struct points {
	struct point at[MOST];
	unsigned module[MOST]; /* which is there, from 1; 0: none */
	unsigned n;
};

static struct isa_program *program(struct machine *m) { return gpu_program(debug_gpu(m->d)); }

static void note(struct machine *m, struct points *ps, unsigned module)
{
	assert_true(ps->n < MOST);
	ps->module[ps->n] = module;
	ps->at[ps->n++] = here(m);
}

static uint32_t load(struct machine *m, unsigned k)
{
	struct diag_list diags = {0};
	char name[16];
	snprintf(name, sizeof name, "m%u.ptx", k + 1);
	const uint32_t module = isa_module_add(program(m), name);
	assert_true(frontend_load_text(program(m), module, name, ptx[k], strlen(ptx[k]), &diags));
	diag_list_free(&diags);
	debug_module_changed(m->d, module, true, NULL);
	return module;
}

static void unload(struct machine *m, uint32_t module)
{
	isa_module_unload(program(m), module);
	debug_module_changed(m->d, module, false, NULL);
}

/* Loads one after the other, runs its kernel, and unloads it; points all the way. */
static void run_all(struct machine *m, struct points *ps)
{
	char launch[32];
	does(m, command_buffer, "p u32[64] = zero");
	note(m, ps, 0);
	for (unsigned k = 0; k < MODULES; k++) {
		const uint32_t module = load(m, k);
		note(m, ps, k + 1);
		snprintf(launch, sizeof launch, "add%u<<<3, 64>>>(p)", k + 1);
		assert_int_equal(run(m, command_launch_kernel, launch), DEBUG_STOP_LAUNCHED);
		for (unsigned i = 0; i < STEPS && debug_can_run(m->d); i++) {
			note(m, ps, k + 1);
			run(m, i & 1 ? command_stepi : command_step, i & 1 ? "3" : "37");
		}
		while (debug_can_run(m->d))
			run(m, command_continue, "");
		note(m, ps, k + 1);
		unload(m, module);
		note(m, ps, 0);
	}
}

/* Which module's kernel has a name here; 0: none's. */
static unsigned named(struct machine *m)
{
	char name[16];
	unsigned found = 0;
	for (unsigned k = 1; k <= MODULES; k++) {
		snprintf(name, sizeof name, "add%u", k);
		if (isa_program_find_function(program(m), name))
			found = found ? 99 : k;
	}
	return found;
}

static void points_are_the_same(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 6; seed++) {
		static struct points ps;
		struct machine m;
		char what[48];
		ps.n = 0;
		begin(&m, seed & 1 ? SESSION_FUNCTIONAL : SESSION_PERFORMANCE, NULL, 20000u << seed);
		m.seed = seed;
		run_all(&m, &ps);
		for (unsigned k = 0; k < 40; k++) {
			const uint32_t to = draw(&m, ps.n);
			snprintf(what, sizeof what, "seed %u, point %u", seed, to);
			go(&m, &ps.at[to], what);
			assert_int_equal(named(&m), ps.module[to]);
		}
		go(&m, &ps.at[ps.n - 1], "the present");
		assert_false(history_is_past(m.h));
		forget(ps.at, ps.n);
		end(&m);
	}
}

/* A breakpoint at a module's kernel waits while the module isn't there, and stops where it is, in both directions. */
static void breakpoints_wait(void **state)
{
	(void)state;
	static struct points ps;
	for (unsigned k = 0; k < 4; k++) {
		struct machine m;
		struct debug_where w;
		ps.n = 0;
		begin(&m, k & 1 ? SESSION_PERFORMANCE : SESSION_FUNCTIONAL, NULL, k & 2 ? UINT64_C(1) << 60 : 100000);
		does(&m, command_break, "add2");
		run_all(&m, &ps);
		const struct breakpoint *b = breakpoint_at(m.d, 0);
		assert_true(b->code.pending);
		assert_int_equal(back(&m, command_reverse_continue, ""), DEBUG_STOP_BREAKPOINT);
		assert_false(b->code.pending);
		assert_true(debug_focus_where(m.d, &w));
		assert_string_equal(isa_program_function_at(program(&m), w.pc)->name, "add2");
		go(&m, &ps.at[1], "in the first module");
		assert_true(b->code.pending);
		assert_int_equal(run(&m, command_continue, ""), DEBUG_STOP_BREAKPOINT);
		assert_false(b->code.pending);
		assert_int_equal(named(&m), 2);
		forget(ps.at, ps.n);
		end(&m);
	}
}

/* At an address a breakpoint stays, also where it is run through unseen. */
static void addresses_stay(void **state)
{
	(void)state;
	static struct points ps;
	for (enum session_mode mode = SESSION_FUNCTIONAL; mode <= SESSION_PERFORMANCE; mode++) {
		struct machine m;
		unsigned second = 0;
		ps.n = 0;
		begin(&m, mode, NULL, UINT64_C(1) << 60); /* from the beginning, over all loads */
		run_all(&m, &ps);
		while (ps.module[second] != 2)
			second++;
		go(&m, &ps.at[second], "in the second module");
		does(&m, command_break, "*add2");
		go(&m, &ps.at[ps.n - 1], "the present");
		for (unsigned k = 0; k < 6; k++) /* six warps come there */
			assert_int_equal(back(&m, command_reverse_continue, ""), DEBUG_STOP_BREAKPOINT);
		assert_int_equal(named(&m), 2);
		assert_int_equal(back(&m, command_reverse_continue, ""), DEBUG_STOP_BEGINNING);
		forget(ps.at, ps.n);
		end(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_the_same),
		cmocka_unit_test(breakpoints_wait),
		cmocka_unit_test(addresses_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
