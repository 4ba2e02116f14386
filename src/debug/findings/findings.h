/* What checkers found: reported, as stops; switching checkers. Texts are made by src/command/findings. */
#ifndef DEBUG_FINDINGS_H
#define DEBUG_FINDINGS_H

#include "check/check.h"
#include "debug/debug.h"

/* Switches the checkers that `list` names on or off. Returns false, with an error in `why`, if a name is unknown or there is no room for checkers. */
bool debug_check(struct debug *d, const char *list, bool on, struct text *why);
/* Returns true if a checker has been on. */
bool debug_check_was_on(const struct debug *d);
/* Returns the number of findings that aren't suppressed: `--batch` ends with status 3 for them. */
uint32_t debug_finding_errors(const struct debug *d);
/* Returns the number of findings, suppressed ones included. */
uint32_t debug_finding_count(const struct debug *d);
/* Returns a byte for each of the *n findings, 1 if it has been reported. The caller passes it to debug_findings_recall after a look at the past,
 * which finds the same ones again. */
uint8_t *debug_findings_told(const struct debug *d, uint32_t *n);
/* Sets whether each of the first n findings has been reported to what debug_findings_told returned, and frees `told`. */
void debug_findings_recall(struct debug *d, uint8_t *told, uint32_t n);
/* Notes that what comes after now is discarded: findings from now on are new again. */
void debug_findings_way_parts(struct debug *d);
/* Appends the findings not reported yet, which then count as reported, and the last line, `========= ERROR SUMMARY: N errors`. */
void debug_findings_summary(struct debug *d, struct text *out);
/* Checks n bytes of device memory that become a user's result for uninitialised data, and reports all findings not reported yet. Does nothing if no
 * checker is on. */
void debug_result_read(struct debug *d, uint64_t address, uint64_t n);
/* Reports the findings not reported yet if the newest is of a program's copy or fill. Does nothing if the machine stops because of findings. */
void debug_host_found(struct debug *d);
/* Returns whether the machine is to stop because of a finding of what the host did. */
bool debug_host_stops(const struct debug *d);
/* Adds a finding for a program's free of an address that it can't free; `again`: it was freed before. Does nothing for address 0 or without
 * checkers. */
void debug_wrong_free(struct debug *d, uint64_t address, bool again);
/* Adds a finding for each allocation that programs of the contexts, a bit for each, haven't freed. Does nothing unless the memory checker is on and
 * leaks are reported (set check-leaks). */
void debug_program_leaks(struct debug *d, uint32_t contexts);

/* Drops the pending stop at a kernel's finding; with `seen` the finding counts as reported. */
void debug_pass_finding(struct debug *d, bool seen);
/* Gets the earlier access of the race at which the machine stopped last. Returns false if the last stop was elsewhere, or that access has no thread,
 * instruction or address. */
bool debug_race_other(const struct debug *d, struct check_access *other);
/* Gets the use of uninitialised data that the host made last (debug_host_use), else the one at which the machine stopped last. Returns false if there
 * is none. */
bool debug_init_finding(const struct debug *d, struct check_finding *out);
/* Returns the finding of what the host did behind which the machine stands: 1 + its number, 0 for none. */
uint32_t debug_host_use(const struct debug *d);
/* Sets the finding of what the host did behind which the machine stands: 1 + its number, 0 for none. Drops a pending stop at a finding of the
 * host's. */
void debug_host_use_is(struct debug *d, uint32_t finding);
/* ---- inside src/debug ---- */
/* Fills *stop for the pending stop at a finding, focuses its thread, and marks it as reported. `by_host`: the machine stands behind it, as the host
 * has done it. Returns false if no such stop is pending. */
bool findings_stop(struct debug *d, bool by_host, struct debug_stop *stop);
/* Drops the pending stop at a finding of the host's. */
void findings_drop_host_stop(struct debug *d);
/* Passes findings not reported yet to host.report, as a kernel has ended or failed; they count as reported then. Does nothing in the past. */
void findings_tell(struct debug *d);

/* Appends the text of a stop at the origin of uninitialised data that finding *f used. `at_begin`: the stop is at the thread's first instruction,
 * else at the memory's allocation. `before`: the allocation is earlier than all that can be gone back to. */
void debug_init_origin_text(struct debug *d, const struct check_finding *f, bool at_begin, bool before, struct text *out);
/* Appends the text of a stop at the other access of a race. */
void debug_race_other_text(struct debug *d, const struct check_access *other, struct text *out);

#endif
