/* Findings of checkers as texts and JSON; rules that suppress them; the command `check`. */
#ifndef COMMAND_FINDINGS_H
#define COMMAND_FINDINGS_H

#include "debug/findings/findings.h"

/* Runs `check LIST on|off` and `check suppress N`. */
debug_answer_fn command_check;

/* Replaces all rules that suppress findings by those of file `path`, to which `check suppress N` then appends; "" or a missing file: none. Applies
 * them to all findings. Returns false, with an error in `why`, if the file can't be read (nothing changes) or a line is malformed (rules in front
 * of it stay). */
bool suppress_read_file(struct debug *d, const char *path, struct text *why);
/* Passes the user's settings to the checkers: stop at findings, report leaks, strict races. Does nothing if there is no room for checkers. */
void findings_apply_settings(struct debug *d, bool stops, bool leaks, bool race_strict);
/* Appends the findings that aren't suppressed, and the number of errors, as JSON with a newline. */
void findings_json(struct debug *d, struct text *out);

/* Appends the lines of a finding, the first without indentation. */
void findings_text(struct debug *d, const struct check_finding *f, struct text *out);
/* Appends the lines of a finding, each behind `========= `, and a last line of that sign. */
void findings_lines(struct debug *d, const struct check_finding *f, struct text *out);

/* Adds a finding with number `n`, from 0: its lines, `meaning` and `what_to_do` (explain.c). */
void explain_finding(struct debug *d, uint32_t n, struct report *answer);

/* Adds the list `findings` and the object `summary` to the report (json.c). `which` 0: all findings that aren't suppressed; else finding number
 * `which`, from 1, also if it is suppressed. `summary` always counts all errors and notes. */
void describe_findings(struct debug *d, struct report *r, uint32_t which);

/* Runs `check suppress N`: makes a rule for finding N, appends it to the suppress file, if there is one, and to `out`, and applies it. Returns
 * false, with an error in `why`, if N is no finding, or the file can't or may not be written. */
bool findings_suppress(struct debug *d, const char *args, struct text *out, struct text *why);
/* Appends the buffer or variable that an access to global memory is in, or the name of the allocation nearest to the finding's address. Returns
 * false if the access is to other memory or nothing is known. */
bool findings_variable(struct debug *d, const struct check_finding *f, const struct check_access *a, struct text *out);
/* Returns the address of an access within its memory space. */
uint64_t findings_offset(const struct check_access *a);
/* Returns the name of the kernel whose thread made the finding's access, or its other one. Returns NULL if the host made both. */
const char *findings_kernel(struct debug *d, const struct check_finding *f);

/* Appends the text of a stop at the origin of uninitialised data, for debug_init_origin_text. */
void findings_origin_text(struct debug *d, const struct check_finding *f, bool at_begin, bool before, struct text *out);
/* Appends the text of a stop at the other access of a race, for debug_race_other_text. */
void findings_other_text(struct debug *d, const struct check_access *other, struct text *out);
/* Returns true if a rule, of the suppress file or made by `check suppress`, fits the finding. `self` is the struct debug. */
bool findings_suppressed(void *self, const struct check_finding *f);
/* Frees the rules that suppress findings and the name of their file, as the debugger is destroyed. */
void findings_forget_rules(struct debug *d);

#endif
