/* What checkers found: reported, as stops; switching checkers. Texts are made by src/command/findings. */
#ifndef DEBUG_FINDINGS_H
#define DEBUG_FINDINGS_H

#include "check/check.h"
#include "debug/debug.h"

/* Switches the checkers that `list` names on or off. Returns false, with an error in `why`, if the host has no room for checkers or a name is unknown
 * (nothing is switched). Returns false, too, if one checker finds no room (those listed before it are switched). */
bool debug_check(struct debug *d, const char *list, bool on, struct text *why);
/* Returns true if at least one checker is on or has been on. */
bool debug_check_was_on(const struct debug *d);
/* Returns the number of findings that are neither suppressed nor notes; if it isn't 0, `--batch` ends with status 3. */
uint32_t debug_finding_errors(const struct debug *d);
/* Returns the number of notes that aren't suppressed: findings that are no errors. */
uint32_t debug_finding_notes(const struct debug *d);
/* Returns the number of findings, suppressed ones included. */
uint32_t debug_finding_count(const struct debug *d);
/* Returns an array of *n bytes, 1 for each finding that has been reported, for debug_findings_recall, which frees it. A look at the past, which finds
 * the same findings again, lies between the two calls. */
uint8_t *debug_findings_told(const struct debug *d, uint32_t *n);
/* Restores from an array of debug_findings_told, which it frees, whether each of the first n findings has been reported. Findings that don't exist now
 * are skipped. */
void debug_findings_recall(struct debug *d, uint8_t *told, uint32_t n);
/* Notes that execution continues on another path from this moment. Findings that were shown and don't exist at this moment are shown again if they
 * are made again. */
void debug_findings_way_parts(struct debug *d);
/* Appends the findings neither reported nor suppressed, marks them as reported, and appends the lines `========= NOTE SUMMARY: N notes`, if
 * there are any, and `========= ERROR SUMMARY: N errors`. Findings
 * that the user was shown before going back in time aren't appended again. */
void debug_findings_summary(struct debug *d, struct text *out);
/* Checks n bytes of device memory that a user reads as a result for uninitialised data, and reports all findings not reported yet. A new finding
 * about these bytes becomes the one that debug_host_use returns; a pending stop at a finding of the host is dropped. Does nothing if no checker is
 * on. */
void debug_result_read(struct debug *d, uint64_t address, uint64_t n);
/* Reports the findings not reported yet if the newest one is unreported and of a program's copy, fill or call. Does nothing if the checkers' findings
 * stop the machine. */
void debug_host_found(struct debug *d);
/* Reports the findings not reported yet, in the middle of a run. Does nothing if checkers are set to stop the machine at findings. */
void debug_findings_report(struct debug *d);
/* Returns true if a stop at a finding of what the host did is pending. */
bool debug_host_stops(const struct debug *d);
/* Adds a finding for a wrong free by a program. Does nothing for address 0 or without the memory checker. */
void debug_wrong_free(struct debug *d, const struct check_free *wrong);
/* Adds a finding for a program's call that CUDA has refused, and reports it unless the machine stops at findings. Does nothing unless the memory
 * checker is on. */
void debug_refused_call(struct debug *d, const struct check_call *call);
/* Returns true if the memory checker is on. */
bool debug_checks_memory(const struct debug *d);
/* Returns true if the race checker is on. */
bool debug_checks_races(const struct debug *d);
/* Adds a finding for each live allocation that a program of `contexts` (a bit for each context) has made. Does nothing unless the memory checker is
 * on and leaks are reported (set check-leaks). */
void debug_program_leaks(struct debug *d, uint32_t contexts);

/* Drops the pending stop at a finding of a kernel, if there is one; with `seen` the finding counts as reported. */
void debug_pass_finding(struct debug *d, bool seen);
/* Copies the earlier access of the race at which the machine stopped last. Returns false if the last stop was at something else, or if the thread,
 * instruction or address of that access isn't known. */
bool debug_race_other(const struct debug *d, struct check_access *other);
/* Copies the use of uninitialised data that debug_host_use names, or, if that is 0, the one at which the machine stopped last. Returns false if
 * there is none. */
bool debug_init_finding(const struct debug *d, struct check_finding *out);
/* Stores the number, from 0, of the finding at which the machine stopped last, at either of a race's accesses. Returns false if the last stop was at
 * something else. */
bool debug_stop_finding(const struct debug *d, uint32_t *number);
/* Returns 1 + the number of the finding about the host (a copy, a fill, a result that a user read) after which the machine stopped last; 0 if the
 * last stop was at something else. */
uint32_t debug_host_use(const struct debug *d);
/* Sets the finding that debug_host_use returns: 1 + a finding's number, or 0. Drops a pending stop at a finding of the host. */
void debug_host_use_is(struct debug *d, uint32_t finding);
/* ---- inside src/debug ---- */
/* Takes the pending stop at a finding of a kernel, or with `by_host` of the host: the stop is no longer pending, and *stop describes it. Marks the
 * finding as reported and focuses its thread, if it has one; with `by_host` debug_host_use returns it from then on. Returns false if no such stop is
 * pending. */
bool findings_stop(struct debug *d, bool by_host, struct debug_stop *stop);
/* Drops the pending stop at a finding of the host, if there is one. */
void findings_drop_host_stop(struct debug *d);
/* Passes the lines of findings neither reported nor suppressed to host.report, and marks them as reported. Does nothing in the past. */
void findings_tell(struct debug *d);

/* Appends the text of a stop where the uninitialised data begins that finding *f used. `at_begin`: the stop is at the thread's first instruction,
 * else at the memory's allocation. `before`: the allocation is earlier than all that can be gone back to. Appends nothing without the layer of
 * commands. */
void debug_init_origin_text(struct debug *d, const struct check_finding *f, bool at_begin, bool before, struct text *out);
/* Appends the text of a stop at the other access of a race; nothing without the layer of commands. */
void debug_race_other_text(struct debug *d, const struct check_access *other, struct text *out);

#endif
