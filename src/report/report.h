/* An answer as data: a tree of named cells, from which text for people and JSON for programs are both drawn.
 *
 * A report holds objects, lists and tables, and cells in them. A cell has a value (what it is as JSON) and a look (what a person reads).
 * Between the cells stand sentences: templates over the cells of their object, drawn in the order in which they were added.
 * A report knows nothing of machines; what a thread or a place consists of is in debug/describe.h. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct report;

/* Creates an empty report, whose outermost object is open. The caller frees it with report_destroy. */
struct report *report_create(void);
/* Frees a report with all it holds. NULL is allowed. */
void report_destroy(struct report *r);

/* ---- containers: what is added next belongs to the one that was opened last ---- */

/* Opens an object. `name` is the member's name, NULL in a list. */
void report_open(struct report *r, const char *name);
/* Opens a list, whose elements have no names. A list without a name in the outermost object is all of the report's JSON. */
void report_list(struct report *r, const char *name);
/* Opens a part of the open object that is drawn indented; what is added to it are members of the object, but its sentences name cells of the part alone. */
void report_group(struct report *r, unsigned columns);
/* Closes the object, list, group or table that was opened last. */
void report_close(struct report *r);

/* Makes all that another report holds an object of this one; the other report is empty afterwards. */
void report_move(struct report *r, const char *name, struct report *from);
/* Makes all that another report holds a new object of the list `list` in the open object. Adds the list if there is none. The other report is empty
 * afterwards. */
void report_append(struct report *r, const char *list, struct report *from);
/* Adds copies of all members of another report's outermost object to the open object, without the words between the members. */
void report_copy(struct report *r, const struct report *from);

/* Keeps the `most` members of a list or table that cost most, in their order, and drops the others. `list` is a path from the open object, `result.kernels`.
 * `cost` is the path of a number in a member; a member without the number costs 0. Of equal members the first are kept. Returns how many are left. */
size_t report_keep(struct report *r, const char *list, const char *cost, size_t most);
/* Drops the member at the end of a path from the open object; nothing if there is none. */
void report_drop(struct report *r, const char *path);

/* Opens a table of n_columns columns. `titles` outlives the report; a title that begins with '<' makes a left-aligned column.
 * As JSON a table is a list of objects, whose members are called like the titles, in lower case with '_' for all that is no letter or digit.
 * A table without a name is only drawn: its numbers are data elsewhere in the report. A table without rows is drawn as nothing, or as what
 * report_instead says. report_close closes it, with its last row. */
void report_table(struct report *r, const char *name, const char *const *titles, unsigned n_columns);
/* Makes the first n columns of the open table stand at the beginning of each part of a table that is too wide; 1 unless set. */
void report_table_keys(struct report *r, unsigned n);
/* Begins a row of the open table; its cells are added with NULL as name, in the order of the columns. A row with focus has a '*' in
 * front of it, and a member "focus". */
void report_row(struct report *r, bool has_focus);
/* Puts a line of text above the row that was begun last. */
void report_row_heading(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Sets what is drawn in place of the open table if it has no rows. */
void report_instead(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns how many rows the open table has. */
size_t report_rows(const struct report *r);

/* ---- cells. `name` is NULL in a list, and for the cells of a row that stand in the table's columns ---- */

/* Adds a number. */
void report_number(struct report *r, const char *name, uint64_t v);
/* Adds a number that may be negative. */
void report_signed(struct report *r, const char *name, int64_t v);
/* Adds a number that people read in hexadecimal, `0x1f`: an address, a PC. */
void report_hex(struct report *r, const char *name, uint64_t v);
/* Adds a mask that people read with all its digits, `0x000000000000ff00`: `digits` of them. */
void report_mask(struct report *r, const char *name, uint64_t v, int digits);
/* Adds a set of lanes, which people read as `0x0000ffff`. */
void report_lanes(struct report *r, const char *name, uint32_t v);
/* Adds a floating-point number; as JSON, NaN and infinities are strings. `look` is what people read. */
void report_real(struct report *r, const char *name, double v, const char *look);
/* Adds a string. */
void report_text(struct report *r, const char *name, const char *s);
/* Adds a string made as printf does. */
void report_textf(struct report *r, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Adds a flag; people read `yes` or `no`. */
void report_flag(struct report *r, const char *name, bool v);
/* Adds a cell without a value: null as JSON. `look` is what people read in its place, such as "-". */
void report_none(struct report *r, const char *name, const char *look);
/* Adds three numbers, [x, y, z] as JSON, which people read as `(x,y,z)`. */
void report_triple(struct report *r, const char *name, const uint32_t v[3]);
/* Sets what people read for the cell, object or list that was added or closed last. */
void report_look(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Sets what `{name:brief}` in a sentence draws for the cell that was added last. */
void report_brief(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- sentences ---- */

/* Adds a sentence: a template over the cells of the open object, resolved when the report is drawn. `template` outlives the report.
 *   {name}     the cell's look; {a.b} that of cell b of object a; a list is drawn as its elements' looks with ", " between
 *   {name|s}   "s" unless the cell is the number 1
 *   {name:5}   the look at the right end of 5 columns; {name:-5}: at the left end
 *   {name:brief}   the cell's brief look (report_brief)
 *   [ ... ]    drawn only if all cells named in it exist
 *   {{ }} [[ ]]   the character itself */
void report_line(struct report *r, const char *template);
/* Adds text that holds no data: a heading, an explanation, the words of an error. */
void report_say(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Returns text of the report to which words that hold no data can be appended, until anything else is added to the report. */
struct text *report_prose(struct report *r);

/* ---- drawing ---- */

/* Appends what people read. Tables wider than `width` columns are broken into parts; 0: no limit. */
void report_draw(const struct report *r, uint32_t width, struct text *out);
/* Appends the outermost object as JSON, without a newline: in one line, or with each member on its own. */
void report_json(const struct report *r, bool one_line, struct text *out);
/* Returns whether drawing the report gives any text. */
bool report_has_words(const struct report *r);

#endif
