/* The command line and the environment (docs/warpstep.1). */
#ifndef REPL_OPTIONS_H
#define REPL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct options_startup {
	bool is_file; /* -x FILE, else -ex CMD */
	const char *text;
};

/* Strings are borrowed from argv and the environment. */
struct options {
	const char *config;
	const char *file;      /* PTX to load first, or NULL */
	const char *isa_level; /* --isa, NULL: the best */
	const char *gdb;       /* -g: as gdbstub_listen, "-" for standard input and output; NULL: no */
	bool gdb_trust;        /* --gdb-trust */
	const char *report;    /* --report: a file, NULL: none */
	const char **checks;   /* of --check, lists of checkers */
	size_t n_checks, cap_checks;
	const char **overrides;
	size_t n_overrides, cap_overrides;
	struct options_startup *startup;
	size_t n_startup, cap_startup;
	char *const *program; /* --args: a CUDA program and its arguments; NULL: none */
	bool has_config;      /* -c was given */
	FILE *found_config;   /* gpgpusim.config of the current folder, where it is used; owned */
	bool batch, quiet;
	bool reads_home, reads_local; /* the init files: neither with -nx, only the local one with -nh */
	bool performance;	      /* --mode, or PTX_SIM_MODE_FUNC where that is not given */
	bool has_mode;		      /* --mode was given */
	/* GPGPU-Sim's variables */
	const char *ptx_file; /* PTX_SIM_KERNELFILE with PTX_SIM_USE_PTX_FILE: it replaces the PTX in a program; NULL: none */
	int trace_level;    /* PTX_SIM_DEBUG */
	uint64_t trace_uid; /* PTX_SIM_DEBUG_THREAD_UID, 0: all threads */
	char **words;	    /* of WARPSTEP_ARGS; owned */
	size_t n_words, cap_words;
};

/* Parses the command line and environment into `o`. Returns -1 if the session is to start; otherwise the exit status (help, version: 0; bad usage: 2,
 * with the error printed). */
int options_parse(struct options *o, int argc, char **argv);
/* Releases what the options own. */
void options_free(struct options *o);

#endif
