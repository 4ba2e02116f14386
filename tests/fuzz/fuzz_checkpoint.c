/* What stands inside a checkpoint file's frame, its checksum right: the first byte says which part of a file that was just written the rest takes the place of:
 * all in front of the pages ('h'), all after that ('p'), or what the debugger keeps ('d'). It is taken or refused. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/setup/buffers.h"
#include "command/command.h"
#include "base/files.h"
#include "checkpoint/internal.h"
#include "debug/setup/buffer.h"
#include "command/running/running.h"
#include "debug/stop/run.h"
#include "gpu/config/config.h"
#include "frontend/frontend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char kernel[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k (.param .u64 p)\n{\n "
			     ".reg .b32 %r<2>;\n mov.u32 %r1, %tid.x;\n"
			     " bar.sync 0;\n ret;\n}\n";

static struct session *make_session(void)
{
	static const char *const options[] = {"-gpgpu_heap_guard 0"};
	const struct session_setup setup = {
		.config = "tiny", .options = options, .n_options = 1, .mode = SESSION_FUNCTIONAL};
	struct text messages = {0};
	enum session_failure failure;
	struct session *s = session_create(&setup, &messages, &failure);
	if (!s)
		abort();
	text_free(&messages);
	command_attach(session_debug(s));
	return s;
}

/* Unpacked, of a machine in the middle of a launch; *head: bytes of it in front of the pages. */
static struct text write_one(size_t *head)
{
	struct session *s = make_session();
	struct debug *d = session_debug(s);
	struct text out = {0}, all = {0};
	struct diag_list diags;
	struct debug_stop stop;
	struct unpacker u;
	char path[64], byte;
	size_t n;
	const size_t frame = heading_bytes();
	diag_list_init(&diags);
	debug_stop_init(&stop);
	if (!frontend_load_text(gpu_program(debug_gpu(d)), 0, "k.ptx", kernel, sizeof kernel - 1, &diags))
		abort();
	debug_program_changed(d, &out);
	snprintf(path, sizeof path, "/tmp/fuzz-checkpoint-%ld.wsc", (long)getpid());
	if (!debug_answer_text(d, command_struct, "pair {f32 a, u32 b}", &out, &out) ||
	    !debug_answer_text(d, command_buffer, "A pair[4] = zero", &out, &out) ||
	    !command_launch_kernel(d, "k<<<3, 64>>>(A)", &stop, &out) || !command_stepi(d, "1", &stop, &out) ||
	    !checkpoint_save(s, path, &out, &out))
		abort();
	char *file = files_read(NULL, path, FILES_READ, SIZE_MAX, &n);
	unlink(path);
	if (!file || n < frame || !unpacker_begin(&u, file + frame, n - frame))
		abort();
	while (!unpacker_is_over(&u) && unpacker_read(&u, &byte, 1))
		text_addn(&all, &byte, 1);
	unpacker_end(&u);
	*head = 8 + (size_t)record_take_number(&(struct record_reader){all.s, all.s + all.n, false});
	free(file);
	text_free(&out);
	diag_list_free(&diags);
	debug_stop_free(&stop);
	session_destroy(s);
	return all;
}

/* With `debug` in place of what the head ends with. */
static void put_debug(struct text *to, const char *head, size_t n_head, const char *debug, size_t n)
{
	struct record_reader r = {head + 8, head + n_head, false};
	struct gpu_outside outside;
	size_t skipped;
	if (record_take_number(&r))
		config_free(config_of_record(&r));
	gpu_outside_take(&r, &outside);
	record_take_bytes(&r, &skipped);
	if (r.bad)
		abort();
	const size_t kept = (size_t)(r.at - (head + 8));
	record_number(to, kept + 8 + n);
	text_addn(to, head + 8, kept);
	record_bytes(to, debug, n);
}

static void build(struct text *inside, char what, const char *data, size_t n)
{
	static struct text one;
	static size_t head;
	if (!one.n)
		one = write_one(&head);
	switch (what) {
	case 'h':
		record_bytes(inside, data, n);
		text_addn(inside, one.s + head, one.n - head);
		break;
	case 'd':
		put_debug(inside, one.s, head, data, n);
		text_addn(inside, one.s + head, one.n - head);
		break;
	default: text_addn(inside, one.s, head); text_addn(inside, data, n);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text inside = {0}, why = {0};
	if (!size)
		return 0;
	build(&inside, (char)data[0], (const char *)data + 1, size - 1);
	const size_t most = ZSTD_compressBound(inside.n);
	char *packed = malloc(most);
	const size_t n = ZSTD_compress(packed, most, inside.s, inside.n, 1);
	struct session *s = make_session();
	if (!checkpoint_restore_frame(s, packed, n, "x.wsc", NULL, &why) && !why.n)
		abort();
	session_destroy(s);
	free(packed);
	text_free(&inside);
	text_free(&why);
	return 0;
}
