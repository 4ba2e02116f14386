/* Candidates for the Tab key, by kind of argument: what is offered, that nothing else is, and that each is offered once. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "command/help/complete.h"
#include "command/interpreter/interpreter.h"
#include "test_debug_fixture.h"

static const char program[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			      ".global .u32 counter;\n"
			      ".func helper ()\n{\n ret;\n}\n"
			      ".visible .entry first (.param .u64 p)\n{\n .reg .b32 %r<3>;\n .reg .b64 %rd<2>;\n"
			      " ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n add.u32 %r2, %r1, 1;\nDONE:\n ret;\n}\n"
			      ".visible .entry second ()\n{\n ret;\n}\n";

struct prompt {
	struct fixture f;
	struct interpreter *in;
};

static void begin(struct prompt *p)
{
	fixture_begin(&p->f, "kernels.ptx", program);
	p->in = interpreter_create(p->f.session, &command_table);
}

static void end(struct prompt *p)
{
	interpreter_destroy(p->in);
	fixture_end(&p->f);
}

/* Runs lines whose output nobody wants to see. */
static void does(struct prompt *p, const char *lines)
{
	struct text out = {0};
	interpreter_execute_for(p->in, NULL, lines, false, &out);
	if (strstr(text_str(&out), "error:"))
		fail_msg("%s: %s", lines, text_str(&out));
	text_free(&out);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The candidates for the word behind the last blank or [ of the line, sorted, each followed by a blank. */
static const char *offers(struct prompt *p, const char *line)
{
	size_t start = strlen(line), n = 0;
	while (start && !strchr(" [", line[start - 1]))
		start--;
	char **v = command_completions(p->in, line, start, line + start);
	text_clear(&p->f.out);
	while (v && v[n])
		n++;
	if (n)
		qsort(v, n, sizeof *v, by_name);
	for (size_t i = 0; i < n; i++) {
		text_addf(&p->f.out, "%s ", v[i]);
		free(v[i]);
	}
	free(v);
	return text_str(&p->f.out);
}

#define OFFERS(line, want) assert_string_equal(offers(&p, line), want)

static void commands_aliases_and_definitions(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	OFFERS("disa", "disable disassemble ");
	OFFERS("  stepi", "stepi ");
	OFFERS("nosuch", "");
	OFFERS("help disas", "disassemble ");
	does(&p, "define dispatch\nprint 1\nend\nalias disarm = info lanes\n");
	OFFERS("disa", "disable disarm disassemble ");
	OFFERS("disp", "dispatch display ");
	end(&p);
}

static void subjects_of_info(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	OFFERS("info co", "config cores ");
	OFFERS("info di", "display divergence ");
	OFFERS("info cuda l", "lanes line ");
	OFFERS("i cuda war", "warps ");
	OFFERS("info cuda threads blo", "block ");
	OFFERS("info scope he", "helper ");
	/* and what follows a subject */
	OFFERS("info line he", "helper ");
	OFFERS("info line k", "kernels.ptx ");
	OFFERS("info lanes cou", "counter ");
	OFFERS("info sym cou", "counter ");
	OFFERS("info functions s", "second ");
	OFFERS("info threads t", "");
	end(&p);
}

static void settings_and_their_words(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	OFFERS("show print-", "print-address print-elements print-pretty print-repeats ");
	OFFERS("set source c", "cuda ");
	OFFERS("set pagination o", "off on ");
	OFFERS("set listsize ", "");
	OFFERS("show c", "check-action check-leaks check-race check-suppress color commands confirm convenience ");
	OFFERS("show us", "user ");
	OFFERS("set counter = cou", "counter ");
	does(&p, "buffer confidence u32[4] = zero\n");
	OFFERS("set conf", "confidence confirm "); /* assignments begin with `set`, too */
	end(&p);
}

static void kernels_buffers_and_locations(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	OFFERS("run f", "first ");
	OFFERS("frame f", "first function ");
	OFFERS("frame function he", "helper ");
	OFFERS("frame function l", "");
	OFFERS("disable d", "display ");
	OFFERS("save br", "breakpoints ");
	OFFERS("break he", "helper ");
	OFFERS("break k", "kernels.ptx ");
	OFFERS("break DO", "DONE ");
	OFFERS("break first t", "thread ");
	OFFERS("break first if cou", "counter ");
	OFFERS("break first if t", "threadIdx ");
	OFFERS("save a", "");
	does(&p, "buffer array f32[8] = zero\nbuffer other f32[8] = zero\n");
	OFFERS("save a", "array ");
	OFFERS("launch first<<<1, 32>>>( a", "array ");
	OFFERS("launch a", ""); /* no kernel, and its arguments are not open yet */
	OFFERS("catch kernel se", "second ");
	OFFERS("catch ba", "barrier ");
	OFFERS("info cores ", "core warp ");
	OFFERS("info scoreboard core 0 w", "warp ");
	OFFERS("info locals ", "all ");
	OFFERS("info config gpgpu_n_cl", "gpgpu_n_cluster_ejection_buffer_size gpgpu_n_clusters ");
	OFFERS("catch divergence ", "after ");
	OFFERS("catch divergence aft", "after ");
	OFFERS("catch s", "");
	end(&p);
}

static void expressions(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	OFFERS("print %r", ""); /* nobody has the focus */
	does(&p, "launch first<<<1, 32>>>(0)\nset $mine = 5\n");
	OFFERS("print %r", "%r0 %r1 %r2 %rd0 %rd1 ");
	OFFERS("print %tid", "%tid.x %tid.y %tid.z ");
	OFFERS("print %clo", "%clock %clock64 %clock_hi ");
	OFFERS("print $mi", "$mine ");
	OFFERS("print $cy", "$cycle ");
	OFFERS("print $err", "$errorpc ");
	OFFERS("print cou", "counter ");
	OFFERS("x/4 sha", "shared[ ");
	end(&p);
}

static void numbers_of_breakpoints(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	OFFERS("delete ", "");
	does(&p, "break first\nbreak second\n");
	OFFERS("delete ", "1 2 ");
	OFFERS("focus b", "block ");
	end(&p);
}

static void looking_at_the_machine(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	OFFERS("dp 0 w", "warp ");
	OFFERS("dp 0 unit scoreb", "scoreboard ");
	OFFERS("diagram c", "compact core cycle ");
	OFFERS("trace LDS", "LDST ");
	OFFERS("trace LDST o", "off on ");
	OFFERS("trace r", "request ");
	OFFERS("print $stat.gpu_tot_sim_i", "$stat.gpu_tot_sim_insn ");
	end(&p);
}

static void files_and_folders(void **state)
{
	struct prompt p;
	char here[4096], folder[] = "ws-complete-XXXXXX";
	(void)state;
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir("/tmp"), 0);
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	begin(&p);
	assert_int_equal(mkdir("folder", 0700), 0);
	fclose(fopen("file.ptx", "w"));
	fclose(fopen("folder/inner.ptx", "w"));
	fclose(fopen(".hidden", "w"));
	OFFERS("load f", "file.ptx folder/ ");
	OFFERS("load ", "file.ptx folder/ ");
	OFFERS("load folder/", "folder/inner.ptx ");
	OFFERS("load .h", ".hidden ");
	OFFERS("load nowhere/", "");
	end(&p);
	assert_int_equal(unlink("folder/inner.ptx") | unlink("file.ptx") | unlink(".hidden") | rmdir("folder"), 0);
	assert_int_equal(chdir(".."), 0);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(chdir(here), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_aliases_and_definitions),
		cmocka_unit_test(subjects_of_info),
		cmocka_unit_test(settings_and_their_words),
		cmocka_unit_test(kernels_buffers_and_locations),
		cmocka_unit_test(expressions),
		cmocka_unit_test(numbers_of_breakpoints),
		cmocka_unit_test(looking_at_the_machine),
		cmocka_unit_test(files_and_folders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
