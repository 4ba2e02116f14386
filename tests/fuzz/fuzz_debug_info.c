/* Debug information of any bytes, in a program with a thread in focus: nothing may crash or take long.
 *
 * Input: three lengths of two bytes, then that many bytes of .debug_info, .debug_abbrev and .debug_loc; what is left is .debug_ranges. Eight
 * bytes that begin with 0xee or 0xef are the variable or the label that the next byte chooses. */
#include <stdint.h>
#include <string.h>

#include "command/setup/buffers.h"
#include "command/stop/stop_commands.h"
#include "command/command.h"
#include "debug/stop/breakpoint.h"
#include "debug/setup/buffer.h"
#include "debug/csource/cnames.h"
#include "debug/debug.h"
#include "command/info.h"
#include "command/inspect.h"
#include "debug/setup/launch.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "gpu/config/config.h"
#include "frontend/frontend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char program[] =
	".version 8.3\n.target sm_80, debug\n.address_size 64\n.global .align 4 .b8 variable1[64];\n"
	".const .align 4 .b8 variable2[16] = {1, 2, 3};\n.visible .entry kernel(.param .u64 variable0, .param .u32 "
	"n)\n{\n"
	"\t.reg .b32 %r<8>;\n\t.reg .b16 %rs<4>;\n\t.reg .b64 %rd<4>;\n\t.reg .f32 %f<3>;\n\t.reg .pred %p<3>;\n"
	"\t.shared .align 8 .b8 variable3[64];\n\t.local .align 8 .b8 variable4[256];\nlabel0:\n\tmov.u32 %r1, "
	"5;\nlabel1:\n"
	"\tmov.u32 %r2, %tid.x;\nlabel2:\n\tmov.b64 %rd1, 7;\nlabel3:\n\tadd.u32 %r3, %r1, "
	"%r2;\nlabel4:\n\tret;\nlabel5:\n}\n";

static void put_bytes(struct text *t, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (n - i >= 8 && p[i] == 0xee)
			text_addf(t, ".b64 variable%u\n", p[i + 1] % 5u);
		else if (n - i >= 8 && p[i] == 0xef)
			text_addf(t, ".b64 label%u\n", p[i + 1] % 6u);
		else
			text_addf(t, ".b8 %u\n", p[i]);
		i += n - i >= 8 && p[i] >= 0xee && p[i] <= 0xef ? 7 : 0;
	}
}

static void put_sections(struct text *t, const uint8_t *data, size_t size)
{
	static const char *const names[] = {".debug_info", ".debug_abbrev", ".debug_loc", ".debug_ranges"};
	size_t at = 6;
	for (unsigned i = 0; i < 4; i++) {
		size_t n = i < 3 ? data[2 * i] | (size_t)data[2 * i + 1] << 8 : size;
		n = n < size - at ? n : size - at;
		text_addf(t, ".section %s\n{\n", names[i]);
		put_bytes(t, data + at, n);
		text_add(t, "}\n");
		at += n;
	}
}

struct looking {
	struct debug *d;
	struct text out;
	unsigned n;
};

static void command(struct looking *l, debug_answer_fn *fn, const char *args)
{
	struct text why = {0};
	debug_answer_text(l->d, fn, args, &l->out, &why);
	text_free(&why);
	text_clear(&l->out);
}

static void look_at(void *self, const char *name)
{
	struct looking *l = self;
	if (l->n++ > 30)
		return;
	command(l, command_print, name);
	command(l, command_ptype, name);
	command(l, command_whatis, name);
}

static void look(struct debug *d)
{
	static const char *const expressions[] = {"a",	   "&a", "*a",	  "a[1]", "a.x", "a->x", "sizeof(a)",
						  "a + 1", "b",	 "b = 3", "b@2",  "c",	 "c = a"};
	struct looking l = {.d = d};
	command(&l, info_locals, "");
	command(&l, info_args, "");
	command(&l, command_backtrace, "");
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		command(&l, command_print, expressions[i]);
		command(&l, command_ptype, expressions[i]);
		command(&l, command_watch, expressions[i]);
	}
	cnames_each(d, look_at, &l);
	text_free(&l.out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag_list diags = {0};
	struct text out = {0}, why = {0}, ptx = {0};
	struct debug_stop stop;
	if (size < 8 || size > 65536)
		return 0;
	text_add(&ptx, program);
	put_sections(&ptx, data, size);
	struct config *c = config_create();
	config_finish(c, &diags);
	struct debug *d = debug_create(gpu_create(c, NULL, NULL), NULL);
	command_attach(d);
	frontend_load_text(gpu_program(debug_gpu(d)), 0, "k.ptx", text_str(&ptx), ptx.n, &diags);
	debug_program_changed(d, &out);
	debug_answer_text(d, command_buffer, "A f32[8] = iota", &out, &why);
	debug_stop_init(&stop);
	command_launch_kernel(d, "kernel<<<2, 64>>>(A, 5)", &stop, &why);
	command_stepi(d, "2", &stop, &why);
	look(d);
	command_continue(d, "", &stop, &why);
	debug_stop_free(&stop);
	debug_destroy(d);
	config_free(c);
	text_free(&ptx);
	text_free(&out);
	text_free(&why);
	diag_list_free(&diags);
	return 0;
}
