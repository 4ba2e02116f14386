/* A session whose configuration sets no option. Its file is served from memory, all others are the host's. */
#ifndef TESTS_PLAIN_SESSION_H
#define TESTS_PLAIN_SESSION_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "session/session.h"

#define PLAIN_CONFIG "<no option>"

static inline bool plain_open(void *self, const char *path, enum files_use use, struct files_open *f)
{
	static char nothing[] = "\n";
	(void)self;
	if (strcmp(path, PLAIN_CONFIG) != 0)
		return files_open(NULL, path, use, f);
	*f = (struct files_open){.stream = fmemopen(nothing, 1, "r")};
	return f->stream;
}

static inline bool plain_close(void *self, struct files_open *f, bool keep)
{
	(void)self;
	return files_close(NULL, f, keep);
}

/* Creates a session in functional mode, or with a configuration of the tree in performance mode. Ends the process with a message if that fails. */
static inline struct session *plain_session(const char *config)
{
	static const struct files files = {.open = plain_open, .close = plain_close};
	const struct session_setup setup = {.config = config ? config : PLAIN_CONFIG,
					    .mode = config ? SESSION_PERFORMANCE : SESSION_FUNCTIONAL,
					    .files = &files};
	struct text messages = {0};
	enum session_failure failure;
	struct session *s = session_create(&setup, &messages, &failure);
	if (!s) {
		fprintf(stderr, "%s", text_str(&messages));
		abort();
	}
	text_free(&messages);
	return s;
}

#endif
