/* What checkers found, as texts, stops and JSON; switching them. */
#ifndef DEBUG_FINDINGS_H
#define DEBUG_FINDINGS_H

#include "check/check.h"
#include "debug/debug.h"

/* Switches the checkers of a list on or off. Returns false, with an error in `why`, if there is no such checker or no room for it. */
bool debug_check(struct debug *d, const char *list, bool on, struct text *why);
/* Runs `check LIST on|off` and `check suppress N`. */
debug_answer_fn debug_cmd_check;

/* Reads the file of suppressed findings, which `check suppress N` writes to; "": none. A missing file is empty. Returns false, with an error in
 * `why`, if that fails. */
bool debug_check_suppress_file(struct debug *d, const char *path, struct text *why);
/* Passes the user's settings to the checkers: stop at findings, report leaks, strict races. */
void debug_check_settings(struct debug *d, bool stops, bool leaks, bool race_strict);

/* Returns true if a checker has been on. */
bool debug_check_was_on(const struct debug *d);
/* Returns the number of findings that aren't suppressed: `--batch` ends with status 3 for them. */
uint32_t debug_finding_errors(const struct debug *d);
/* Returns the number of findings, suppressed ones included. */
uint32_t debug_finding_count(const struct debug *d);
/* Returns a byte for each of the *n findings, 1 if it has been reported. The caller passes it to debug_findings_recall after a look at the past,
 * which finds the same ones again. */
uint8_t *debug_findings_told(const struct debug *d, uint32_t *n);
/* Restores which findings have been reported, and frees `told`. */
void debug_findings_recall(struct debug *d, uint8_t *told, uint32_t n);
/* Notes that what comes after now is discarded: findings from now on are new again. */
void debug_findings_way_parts(struct debug *d);
/* Appends findings not reported yet, and the last line, `========= ERROR SUMMARY: N errors`. */
void debug_findings_summary(struct debug *d, struct text *out);
/* Appends the findings as JSON. */
void debug_findings_json(struct debug *d, struct text *out);

/* Checks n bytes of device memory that become a user's result, and reports findings. */
void debug_result_read(struct debug *d, uint64_t address, uint64_t n);
/* Reports the finding of a program's copy or fill that has been done, unless the machine stops because of findings. */
void debug_host_found(struct debug *d);
/* Returns true if the machine is to stop because of a finding of the host's. */
bool debug_host_stops(const struct debug *d);
/* Checks a program's free of an address that it can't free. `again`: it was freed before. */
void debug_wrong_free(struct debug *d, uint64_t address, bool again);
/* Adds findings for what a program hasn't freed at its end (set check-leaks). `contexts`: a bit for each. */
void debug_program_leaks(struct debug *d, uint32_t contexts);

/* Drops the stop at a finding. `seen`: the user has seen it, as the past is only run again. */
void debug_pass_finding(struct debug *d, bool seen);
/* Gets the earlier access of the race at which the machine has stopped. Returns false if it stopped elsewhere, or no thread made that access. */
bool debug_race_other(const struct debug *d, struct check_access *other);
/* Gets the use of uninitialised data at which the machine has stopped, or which the host's last read has made. Returns false if there is none. */
bool debug_init_finding(const struct debug *d, struct check_finding *out);
/* Returns the finding of what the host did behind which the machine stands: 1 + its number, 0 for none. */
uint32_t debug_host_use(const struct debug *d);
/* Sets the finding of what the host did behind which the machine stands: 1 + its number, 0 for none. */
void debug_host_use_is(struct debug *d, uint32_t finding);
/* Adds the text of a stop at the origin of such data. `at_begin`: the stop is at the thread's first instruction, else at the allocation of the memory;
 * `before`: the allocation lies in front of all that can be gone back to. */
void debug_init_origin_text(struct debug *d, const struct check_finding *f, bool at_begin, bool before, struct text *out);
/* Appends the text of a stop at the other access of a race. */
void debug_race_other_text(struct debug *d, const struct check_access *other, struct text *out);

/* ---- for src/debug and the commands ---- */
/* Appends the lines of a finding, the first without indentation. */
void findings_text(struct debug *d, const struct check_finding *f, struct text *out);
/* Appends the lines of a finding with compute-sanitizer's signs in front. */
void findings_lines(struct debug *d, const struct check_finding *f, struct text *out);

/* Adds `findings`, all that aren't suppressed or the one with number `which` from 1, and `summary` (json.c). */
void describe_findings(struct debug *d, struct report *r, uint32_t which);

/* Runs `check suppress N`: adds a rule for finding N, to the suppress file too. Returns false, with an error in `why`, if that can't be done. */
bool findings_suppress(struct debug *d, const char *args, struct text *out, struct text *why);

/* Fills the stop at a finding that the user wants to see. `by_host`: the machine stands behind it, as the host has done it. Returns false if there
 * is none. */
bool findings_stop(struct debug *d, bool by_host, struct debug_stop *stop);
/* Drops the pending stop at a finding of the host's. */
void findings_drop_host_stop(struct debug *d);
/* Passes findings not reported yet to host.report: a kernel has ended, or failed. Does nothing in the past. */
void findings_tell(struct debug *d);
/* Appends the variable or buffer that a global address is in. Returns false if there is none. */
bool findings_variable(struct debug *d, const struct check_finding *f, const struct check_access *a, struct text *out);
/* Returns the address of an access in its space. */
uint64_t findings_offset(const struct check_access *a);

#endif
