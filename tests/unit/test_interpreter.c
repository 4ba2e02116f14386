/* The interpreter without a prompt: this program is linked without repl/ (Makefile). A face that is no terminal runs any command, and gets the answer
 * as data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "command/interpreter/interpreter.h"
#include "report/report.h"
#include "test_debug_fixture.h"

static const char program[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			      ".visible .entry first (.param .u64 p)\n{\n .reg .b32 %r<3>;\n .reg .b64 %rd<2>;\n"
			      " ld.param.u64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n add.u32 %r2, %r1, 1;\nDONE:\n ret;\n}\n";

struct editor {
	struct fixture f;
	struct interpreter *in;
};

static void begin(struct editor *e)
{
	fixture_begin(&e->f, "kernels.ptx", program);
	e->in = interpreter_create(e->f.session, &command_table);
}

static void end(struct editor *e)
{
	interpreter_destroy(e->in);
	fixture_end(&e->f);
}

/* Returns the answer of a command as a line of JSON, valid until the next one. */
static const char *asks(struct editor *e, const char *lines)
{
	struct report *answer = report_create();
	interpreter_ask(e->in, NULL, lines, answer);
	text_clear(&e->f.out);
	report_json(answer, true, &e->f.out);
	report_destroy(answer);
	return text_str(&e->f.out);
}

static void has(const char *json, const char *part)
{
	if (!strstr(json, part))
		fail_msg("%s is missing in %s", part, json);
}

static void answers_are_data(void **state)
{
	struct editor e;
	(void)state;
	begin(&e);
	has(asks(&e, "launch first<<<1,32>>>(0)"), "\"status\":0");
	has(asks(&e, "info threads"), "\"result\":{\"command\":\"info threads\"");
	has(asks(&e, "b DONE if true"), "\"number\":1"); /* a name that a condition knows before there is a thread */
	has(asks(&e, "b DONE if truth"), "No symbol \\\"truth\\\" in current context.");
	has(asks(&e, "c"), "\"stop\":{\"reason\":\"breakpoint\"");
	has(asks(&e, "p %r2"), "\"value\":1");
	end(&e);
}

static void errors_are_data(void **state)
{
	struct editor e;
	(void)state;
	begin(&e);
	has(asks(&e, "nosuch"), "\"status\":1,\"error\":{\"message\":\"unknown command 'nosuch'");
	has(asks(&e, "if 1"), "\"error\":{\"message\":\"a block of commands ends here without its `end`\"}");
	has(asks(&e, "if 1\nprint 2+3\nend"), "5");
	end(&e);
}

static void settings_are_the_session_s(void **state)
{
	struct editor e;
	struct text out = {0};
	(void)state;
	begin(&e);
	has(asks(&e, "set listsize 3"), "\"status\":0");
	has(asks(&e, "show listsize"), "\"value\":\"3\"");
	assert_int_equal(debug_settings(e.in->dbg)->list_lines, 3);
	/* gdb's `monitor` sees the same setting */
	interpreter_execute_for(e.in, NULL, "show listsize", true, &out);
	assert_string_equal(text_str(&out), "listsize is \"3\": lines that list prints\n");
	text_free(&out);
	end(&e);
}

/* What a face shows. */
struct screen {
	struct text printed, complained;
};

static void print(void *self, const char *s) { text_add(&((struct screen *)self)->printed, s); }
static void complain(void *self, const char *s) { text_add(&((struct screen *)self)->complained, s); }

static void a_face_is_shown_text(void **state)
{
	struct editor e;
	struct screen s = {0};
	const struct interpreter_face face = {.self = &s, .print = print, .complain = complain};
	(void)state;
	begin(&e);
	assert_true(interpreter_execute(e.in, "print 1")); /* nothing is shown without a face */
	interpreter_set_face(e.in, &face, NULL);
	assert_true(interpreter_execute(e.in, "print 2"));
	assert_string_equal(text_str(&s.printed), "$2 = 2\n");
	text_clear(&s.printed);
	assert_true(interpreter_execute(e.in, "launch first<<<1,32>>>(0)"));
	text_clear(&s.printed);
	assert_true(interpreter_execute(e.in, "info threads --json"));
	has(text_str(&s.printed), "\"command\": \"info threads\"");
	assert_false(interpreter_execute(e.in, "nosuch"));
	has(text_str(&s.complained), "error: unknown command 'nosuch'");
	interpreter_set_face(e.in, NULL, NULL);
	text_free(&s.printed);
	text_free(&s.complained);
	end(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_data),
		cmocka_unit_test(errors_are_data),
		cmocka_unit_test(settings_are_the_session_s),
		cmocka_unit_test(a_face_is_shown_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
