/* What checkers found, as texts, stops and JSON; switching them. */
#ifndef DEBUG_FINDINGS_H
#define DEBUG_FINDINGS_H

#include "check/check.h"
#include "debug/debug.h"

/* False: there is no such checker, or no room for it. */
bool debug_check(struct debug *d, const char *list, bool on, struct text *why);
debug_answer_fn debug_cmd_check; /* LIST on|off, suppress N */

/* The file of findings that the user doesn't want to hear of, which `check suppress N` writes to; "": none. One that isn't there yet is empty. */
bool debug_check_suppress_file(struct debug *d, const char *path, struct text *why);
/* What a setting says. */
void debug_check_settings(struct debug *d, bool stops, bool leaks, bool race_strict);

bool debug_check_was_on(const struct debug *d);
/* Those that aren't suppressed: what `--batch` ends with status 3 for. */
uint32_t debug_finding_errors(const struct debug *d);
/* Findings that nobody has seen yet, and the last line, `========= ERROR SUMMARY: N errors`. */
uint32_t debug_finding_count(const struct debug *d); /* suppressed ones, too */
/* Which ones have been told: a byte each; the caller gives them back after a look at the past, which finds the same ones again. */
uint8_t *debug_findings_told(const struct debug *d, uint32_t *n);
void debug_findings_recall(struct debug *d, uint8_t *told, uint32_t n);
/* What comes after now is discarded: what is found from now on is news again. */
void debug_findings_way_parts(struct debug *d);
void debug_findings_summary(struct debug *d, struct text *out);
void debug_findings_json(struct debug *d, struct text *out);

/* Device memory becomes a user's result. */
void debug_result_read(struct debug *d, uint64_t address, uint64_t n);
/* A program's copy or fill has been done: what was found of it is told now, if the machine doesn't stop because of it. */
void debug_host_found(struct debug *d);
bool debug_host_stops(const struct debug *d); /* it does, when it comes to that */
/* Of a program: a free of what it can't free (`again`: it has freed it before); and at its end what it hasn't freed (set check-leaks). */
void debug_wrong_free(struct debug *d, uint64_t address, bool again);
void debug_program_leaks(struct debug *d, uint32_t contexts); /* a bit each */

/* A finding at which the machine might stop, and doesn't. `seen`: as what was is only run again, and the user has seen it. */
void debug_pass_finding(struct debug *d, bool seen);
/* The machine has stopped at a race: the other access, which came earlier. False: it hasn't, or a thread didn't make it. */
bool debug_race_other(const struct debug *d, struct check_access *other);
/* Gets the finding at which the machine has stopped, or which the host has just made by a read, if that is a use of uninitialised data. Returns false if
 * not. */
bool debug_init_finding(const struct debug *d, struct check_finding *out);
/* Returns, or sets, the finding of what the host did behind which the machine stands: 1 + its number, 0: none. */
uint32_t debug_host_use(const struct debug *d);
void debug_host_use_is(struct debug *d, uint32_t finding);
/* Adds the text of a stop at the origin of such data. `at_begin`: the stop is at the thread's first instruction, else at the allocation of the memory;
 * `before`: the allocation lies in front of all that can be gone back to. */
void debug_init_origin_text(struct debug *d, const struct check_finding *f, bool at_begin, bool before, struct text *out);
void debug_race_other_text(struct debug *d, const struct check_access *other, struct text *out);

/* ---- inside src/debug ---- */
/* The machine stands in front of something that a checker found, which the user wants to see: fills the stop. `by_host`: behind it, as the host
 * has done it. */
bool findings_stop(struct debug *d, bool by_host, struct debug_stop *stop);
void findings_drop_host_stop(struct debug *d); /* what was found of the host isn't news */
/* A kernel has ended, or failed: what was found goes to the user. */
void findings_tell(struct debug *d);
/* The variable or buffer that the address is in; false: none. */
bool findings_variable(struct debug *d, const struct check_finding *f, const struct check_access *a, struct text *out);
uint64_t findings_offset(const struct check_access *a); /* the address in its space */

#endif
