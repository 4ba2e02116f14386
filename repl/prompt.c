/* A prompt: made and ended. */
#include <stdlib.h>

#include "command/command.h"
#include "repl/input.h"
#include "repl/repl.h"
#include "repl/settings.h"

void repl_init(struct repl *r, struct session *session, const struct repl_command_table *table)
{
	*r = (struct repl){.session = session,
			   .table = table,
			   .complete = repl_complete,
			   .face = repl_face(r),
			   .dbg = session_debug(session),
			   .interrupted = session_interrupt(session),
			   .input = input_create()};
	session_attach(session, &r->face);
	command_attach(r->dbg);
	repl_settings_init(r);
}

void repl_free(struct repl *r)
{
	session_detach(r->session, &r->face);
	for (size_t i = 0; i < r->n_user; i++) {
		free(r->user[i].name);
		free(r->user[i].body);
		free(r->user[i].help);
	}
	for (size_t i = 0; i < r->n_aliases; i++) {
		free(r->aliases[i].name);
		free(r->aliases[i].text);
	}
	for (size_t i = 0; i < r->n_displays; i++)
		free(r->displays[i].args);
	free(r->user);
	free(r->aliases);
	free(r->displays);
	free(r->last_line);
	free(r->pending);
	text_free(&r->error);
	repl_settings_free(r);
	free(r->first_args);
	free(r->suppress_file);
	input_free(r->input);
}
