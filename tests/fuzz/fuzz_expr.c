/* Expressions, formats and locations of any text, with a thread in focus: nothing may crash or take long. */
#include <stdint.h>
#include <string.h>

#include "command/setup/buffers.h"
#include "command/show/focus_commands.h"
#include "command/stop/stop_commands.h"
#include "command/command.h"
#include "base/xalloc.h"
#include "debug/debug.h"
#include "debug/expr/expr.h"
#include "command/inspect.h"
#include "debug/setup/launch.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "debug/view/source.h"
#include "debug/stop/breakpoint.h"
#include "debug/setup/buffer.h"
#include "gpu/config/config.h"
#include "frontend/frontend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char program[] =
	".version 8.3\n.target sm_80\n.address_size 64\n.global .s32 m[2][3] = {{1, 2, 3}, {4, 5, 6}};\n"
	".const .f64 pi = 0d400921FB54442D18;\n.global .align 16 .v4 .f32 quad;\n"
	".visible .entry k(.param .u64 A, .param .u32 n)\n{\n\t.reg .b32 %r<4>;\n\t.reg .pred %p<2>;\n\t.reg .b128 "
	"%q<2>;\n"
	"\t.reg .b64 %rd<3>;\n\t.shared .u32 tile[8];\n\t.local .u32 own[2];\n\tmov.u32 %r1, %tid.x;\n"
	"\tsetp.eq.u32 %p1, %r1, 2;\n\tst.shared.u32 [tile], %r1;\nL:\tret;\n}\n";

static struct debug *make_session(struct config **kept)
{
	struct diag_list diags = {0};
	struct config *c = *kept = config_create();
	struct text out = {0}, why = {0};
	struct debug_stop stop;
	config_finish(c, &diags);
	struct debug *d = debug_create(gpu_create(c, NULL, NULL), NULL);
	command_attach(d);
	frontend_load_text(gpu_program(debug_gpu(d)), 0, "k.ptx", program, strlen(program), &diags);
	debug_program_changed(d, &out);
	debug_answer_text(d, command_buffer, "A f32[8] = iota", &out, &why);
	debug_stop_init(&stop);
	command_launch_kernel(d, "k<<<2, 64>>>(A, 5)", &stop, &why);
	command_stepi(d, "2", &stop, &why);
	debug_stop_free(&stop);
	text_free(&out);
	text_free(&why);
	diag_list_free(&diags);
	return d;
}

/* Sessions live on from input to input (what one made, others see) and are made anew now and then. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static debug_answer_fn *const commands[] = {
		command_print, command_x,	  command_printf, command_ptype, command_focus,
		command_cuda,	 command_break, command_watch,  command_list,  command_disassemble};
	static struct debug *d;
	static struct config *c;
	static unsigned used;
	struct debug_launch l;
	struct text out = {0}, why = {0};
	if (!size || size > 4096)
		return 0;
	if (used++ % 2000 == 0) {
		debug_destroy(d);
		config_free(c);
		d = make_session(&c);
	}
	char *text = xstrndup((const char *)data + 1, size - 1);
	if (data[0] % 11 < 10)
		debug_answer_text(d, commands[data[0] % 11], text, &out, &why);
	else if (debug_launch_parse(d, text, &l, &why))
		debug_launch_free(&l);
	while (breakpoint_count(d) > 20)
		breakpoint_remove(d, breakpoint_at(d, 0)->number);
	free(text);
	text_free(&out);
	text_free(&why);
	return 0;
}
