/* What a client of gdb on another machine may do: every row of the tables of commands and settings is decided, and what it says is true. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "command/interpreter/interpreter.h"
#include "test_debug_fixture.h"

static const char program[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".global .u32 counter;\n"
	".visible .entry first (.param .u64 p)\n{\n .reg .b32 %r<3>;\n .reg .b64 %rd<2>;\n"
	" ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n add.u32 %r2, %r1, 1;\nDONE:\n ret;\n}\n"
	".visible .entry wild ()\n{\n .reg .b64 %rd<2>;\n mov.u64 %rd1, 16;\n st.global.u32 [%rd1], 1;\n ret;\n}\n";

#define SECRET "what-only-the-user-may-see"
#define REFUSED "--gdb-trust"
#define NOT_FOR_GDB "not for gdb"

struct prompt {
	struct fixture f;
	struct interpreter *in;
	char folder[32];
};

static void put(const char *path, const char *content)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(content, f);
	fclose(f);
}

/* The current folder holds one file, `secret`. */
static void begin(struct prompt *p)
{
	*p = (struct prompt){.folder = "/tmp/test_command_reach.XXXXXX"};
	fixture_begin(&p->f, "kernels.ptx", program);
	p->in = interpreter_create(p->f.session, &command_table);
	assert_non_null(mkdtemp(p->folder));
	assert_int_equal(chdir(p->folder), 0);
	put("secret", SECRET "\n");
	put("secret.wsc", SECRET "\n");
	put("secret.ptx", "// " SECRET "\n");
}

static void end(struct prompt *p)
{
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", p->folder);
	assert_int_equal(chdir("/") || system(command), 0);
	interpreter_destroy(p->in);
	fixture_end(&p->f);
}

/* The files are as they were at the beginning. */
static void nothing_is_written(const char *line)
{
	unsigned n = 0;
	struct stat st;
	DIR *d = opendir(".");
	for (const struct dirent *e; (e = readdir(d));)
		n += *e->d_name != '.';
	closedir(d);
	if (n != 3)
		fail_msg("'%s' has made a file", line);
	assert_int_equal(stat("secret", &st), 0);
	if (st.st_size != sizeof SECRET)
		fail_msg("'%s' has written to a file", line);
}

/* Returns the answer to a client. */
static const char *says_to(struct prompt *p, const char *line, bool is_confined)
{
	text_clear(&p->f.out);
	interpreter_execute_for(p->in, NULL, line, is_confined, &p->f.out);
	p->in->quit = false;
	*p->in->interrupted = 0;
	return text_str(&p->f.out);
}

static void is_refused(struct prompt *p, const char *line)
{
	if (!strstr(says_to(p, line, true), REFUSED))
		fail_msg("'%s' isn't refused: %s", line, text_str(&p->f.out));
	nothing_is_written(line);
}

static void is_not_refused(struct prompt *p, const char *line, bool is_confined)
{
	if (strstr(says_to(p, line, is_confined), REFUSED))
		fail_msg("'%s' is refused: %s", line, text_str(&p->f.out));
}

/* Arguments that would reach a file or start a program, if a command did. */
static const char *const hostile[] = {"secret",	       "secret x",	"x secret",	   "'secret'",
				      "made",	       "x made",	"--json made",	   "--json secret",
				      "x --json made", "= file secret", "x = file secret", "x u8[4] = file secret",
				      "> made",	       ">>secret",	"x > made",	   "| tee made",
				      "$(touch made)", "`touch made`",	"; touch made",	   "x made.wsc",
				      "secret.ptx:1",  "secret.wsc",	"first made",	   "first secret"};

static void stays_inside(struct prompt *p, const char *name)
{
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		char line[128];
		snprintf(line, sizeof line, "%s %s", name, hostile[i]);
		if (strstr(says_to(p, line, true), SECRET))
			fail_msg("'%s' shows a file: %s", line, text_str(&p->f.out));
		nothing_is_written(line);
	}
}

/* Calls `fn` with a command's name and each alias. */
static void each_name(struct prompt *p, const struct command *c, void (*fn)(struct prompt *p, const char *name))
{
	char aliases[256], *rest = aliases;
	fn(p, c->name);
	snprintf(aliases, sizeof aliases, "%s", c->aliases);
	for (const char *name; (name = strsep(&rest, " "));)
		if (*name)
			fn(p, name);
}

static void name_is_refused(struct prompt *p, const char *name)
{
	char line[128];
	snprintf(line, sizeof line, "%s secret", name);
	is_refused(p, line);
}

static void name_is_not_for_gdb(struct prompt *p, const char *name)
{
	char line[128];
	snprintf(line, sizeof line, "%s touch made", name);
	for (unsigned confined = 0; confined < 2; confined++)
		if (!strstr(says_to(p, line, confined), NOT_FOR_GDB))
			fail_msg("'%s' is run for gdb: %s", line, text_str(&p->f.out));
	nothing_is_written(line);
}

static void every_command_does_what_its_row_says(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	for (size_t i = 0; i < command_table.n; i++) {
		const struct command *c = &command_table.rows[i];
		switch (c->reach) {
		case REACH_INSIDE:
		case REACH_ARGS: each_name(&p, c, stays_inside); break;
		case REACH_HOST: each_name(&p, c, name_is_refused); break;
		case REACH_PROMPT: each_name(&p, c, name_is_not_for_gdb); break;
		}
	}
	end(&p);
}

/* Of a command that depends on its arguments: some that reach the host, some that don't. */
static const struct {
	const char *command, *refused, *allowed;
} by_args[] = {
	{"buffer", "buffer b u8[4] = file secret", "buffer b u8[4] = zero"},
	{"texture", "texture t u8[4] = file secret", "texture t u8[4] = zero"},
	{"surface", "surface s u8[4] = file secret", "surface s u8[4] = zero"},
	{"launch", "launch $(touch made)", "launch first<<<1,32>>>(0)"},
	{"run", "run >made", "run first<<<1,32>>>(0)"},
	{"run", "start >made", "run"},
	{"checkpoint", "checkpoint made.wsc", "checkpoint here"},
	{"check", "check suppress 1", "check memory on"},
	{"info", "info stalls --json made", "info stalls --json -"},
	{"set", "set var counter = file secret", "set var counter = 1"},
	{"set", "set counter = file secret", "set counter = 1"},
	{"set", "set args $(touch made)", "set listsize 20"},
	{"set", "set check-suppress secret", "set print pretty on"},
	{"set", "set history-file secret", "set history-size 20"},
	{"show", "show commands", "show args"},
	{"dot", "dot first made", "dot first"},
	{"stats", "stats --json made", "stats gpu_*"},
	{"stats", "stats --json secret", "stats --json -"},
	{"who-wrote", "who-wrote counter --json made", "who-wrote counter"},
	{"find-nan", "find-nan --json made", "find-nan"},
	{"diff-launch", "diff-launch 0 1 --json made", "diff-launch 0 1"},
	{"trace", "trace export konata made", "trace off"},
	{"diagram", "diagram svg made", "diagram off"},
	{"why", "why hang --json made", "why hang --json -"},
};
#define BY_ARGS (sizeof by_args / sizeof *by_args)

static void arguments_decide(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	is_not_refused(&p, "check memory on", false);
	is_not_refused(&p, "run wild<<<1,1>>>()", false);
	is_not_refused(&p, "kill", false);
	put("rules", "");
	is_not_refused(&p, "set check-suppress rules", false);
	assert_int_equal(unlink("rules"), 0);
	for (size_t i = 0; i < BY_ARGS; i++) {
		/* arguments are a program's where one is debugged; a refusal comes before it is asked */
		p.in->program = (struct server *)(void *)&p;
		if (strcmp(by_args[i].command, "run") && strcmp(by_args[i].command, "launch"))
			p.in->program = NULL;
		is_refused(&p, by_args[i].refused);
		p.in->program = NULL;
		is_not_refused(&p, by_args[i].allowed, true);
		is_not_refused(&p, by_args[i].allowed, false);
		nothing_is_written(by_args[i].allowed);
	}
	for (size_t i = 0; i < command_table.n; i++) {
		bool is_there = false;
		for (size_t k = 0; k < BY_ARGS; k++)
			is_there = is_there || !strcmp(by_args[k].command, command_table.rows[i].name);
		if (is_there != (command_table.rows[i].reach == REACH_ARGS))
			fail_msg("the command '%s' %s", command_table.rows[i].name,
				 is_there ? "is in this test's table and no REACH_ARGS"
					  : "is missing in this test's table");
	}
	end(&p);
}

static void every_setting_does_what_its_row_says(void **state)
{
	struct prompt p;
	char line[128];
	(void)state;
	begin(&p);
	for (unsigned i = 0; i < SETTINGS; i++) {
		const struct setting_row *row = &setting_rows[i];
		snprintf(line, sizeof line, "set %s secret", row->name);
		if (row->reach == REACH_HOST)
			is_refused(&p, line);
		else
			is_not_refused(&p, line, true);
		nothing_is_written(line);
	}
	end(&p);
}

/* Other commands bring no refused one by the back door, also not for later. */
static void no_way_round(void **state)
{
	static const char *const ways[] = {"if 1\nsave counter made\nend",
					   "while 1\nsave counter made\nend",
					   "eval \"save counter made\"",
					   "thread apply all save counter made",
					   "frame apply all save counter made",
					   "define x\nshell touch made\nend",
					   "define hook-stop\nshell touch made\nend",
					   "alias c = save counter made",
					   "commands 1\nshell touch made\nend",
					   "document c\nx\nend"};
	struct prompt p;
	(void)state;
	begin(&p);
	is_not_refused(&p, "launch first<<<1,1>>>(0)", true);
	is_not_refused(&p, "break first", true);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		is_refused(&p, ways[i]);
	assert_true(!p.in->n_user && !p.in->n_aliases);
	/* what the prompt's user repeats by an empty line is his own */
	assert_null(p.in->last_line);
	end(&p);
}

/* A client on this machine may do what its user may, but for a shell. */
static void without_confinement_files_are_written(void **state)
{
	struct prompt p;
	(void)state;
	begin(&p);
	is_not_refused(&p, "save counter made", false);
	assert_int_equal(access("made", F_OK), 0);
	end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_does_what_its_row_says),	 cmocka_unit_test(arguments_decide),
		cmocka_unit_test(every_setting_does_what_its_row_says),	 cmocka_unit_test(no_way_round),
		cmocka_unit_test(without_confinement_files_are_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
