/* An interpreter: created and released. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "command/command.h"
#include "command/interpreter/input.h"
#include "command/interpreter/interpreter.h"
#include "command/interpreter/logging.h"

static const struct interpreter_face no_face;

struct interpreter *interpreter_create(struct session *session, const struct command_table *table)
{
	struct interpreter *in = xcalloc(1, sizeof *in);
	*in = (struct interpreter){.session = session,
				   .table = table,
				   .face = &no_face,
				   .dbg = session_debug(session),
				   .interrupted = session_interrupt(session),
				   .input = input_create()};
	command_attach(in->dbg);
	settings_create(in);
	return in;
}

void interpreter_set_face(struct interpreter *in, const struct interpreter_face *face, const struct session_face *session_face)
{
	in->face = face ? face : &no_face;
	in->session_face = session_face;
}

static void free_definitions(struct interpreter *in)
{
	for (size_t i = 0; i < in->n_user; i++) {
		free(in->user[i].name);
		free(in->user[i].body);
		free(in->user[i].help);
	}
	for (size_t i = 0; i < in->n_aliases; i++) {
		free(in->aliases[i].name);
		free(in->aliases[i].text);
	}
	for (size_t i = 0; i < in->n_displays; i++)
		free(in->displays[i].args);
	free(in->user);
	free(in->aliases);
	free(in->displays);
}

void interpreter_destroy(struct interpreter *in)
{
	if (!in)
		return;
	free_definitions(in);
	free(in->last_line);
	free(in->previous_line);
	logging_free(in);
	free(in->pending);
	text_free(&in->error);
	settings_free(in);
	free(in->first_args);
	free(in->suppress_file);
	input_free(in->input);
	free(in);
}
