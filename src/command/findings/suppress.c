/* Findings that the user doesn't want to hear of: lines `kind kernel place [place]`, each a glob. A place is fitted by `saxpy.cu:12`, `saxpy.ptx:60` and
 * `saxpy+0x1a8`. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/files.h"
#include "base/xalloc.h"
#include "command/findings/findings.h"
#include "command/state.h"
#include "debug/view/user_line.h"
#include "debug/view/source.h"
#include "debug/program.h"
#include "debug/ground/scan.h"
#include "debug/view/functions.h"
#include "debug/view/view.h"

#define WORDS 4u
struct suppress_rule {
	char *word[WORDS]; /* NULL: not given */
};
static void forget_rules(struct suppress_state *r)
{
	for (size_t k = 0; k < r->n; k++)
		for (unsigned w = 0; w < WORDS; w++)
			free(r->rules[k].word[w]);
	r->n = 0;
}

void findings_forget_rules(struct debug *d)
{
	forget_rules(&d->commands->suppress);
	free(d->commands->suppress.rules);
	free(d->commands->suppress.file);
}

/* ---- does a line fit? ---- */

/* `app.cu:52`, of the host's code; nothing where it isn't known. */
static void host_place(struct debug *d, const struct check_access *a, struct text *out)
{
	struct text file = {0};
	const uint32_t line = a->by_host ? debug_program_line(d, a->context, a->caller, &file) : 0;
	if (line)
		text_addf(out, "%s:%u", text_str(&file), line);
	text_free(&file);
}

/* Returns the position of an access in the PTX, in the source, or of the user's line: form 1, 2 or 3. */
static struct debug_position position_of(struct debug *d, const struct check_access *a, unsigned form)
{
	struct debug_user_line line;
	const struct debug_calls calls = {a->callers, CHECK_CALLERS};
	if (form == 3 && debug_user_line(d, a->pc, &calls, &line))
		return line.at;
	return form == 1 ? debug_ptx_position(d, a->pc) : debug_own_position(d, a->pc);
}

static bool place_fits(struct debug *d, const char *glob, const struct check_access *a)
{
	struct text t = {0};
	if (!a->has_pc)
		host_place(d, a, &t);
	bool fits = !a->has_pc && !fnmatch(glob, text_str(&t), 0);
	for (unsigned form = 0; a->has_pc && form < 4 && !fits; form++) {
		text_clear(&t);
		if (form == 0)
			debug_function_offset(d, a->pc, &t);
		else
			debug_position_text(d, position_of(d, a, form), &t);
		fits = !fnmatch(glob, text_str(&t), 0);
	}
	text_free(&t);
	return fits;
}

static bool rule_fits(struct debug *d, const struct suppress_rule *r, const struct check_finding *f)
{
	const char *kernel = findings_kernel(d, f);
	if (fnmatch(r->word[0], check_kind_name((enum check_kind)f->kind), 0) ||
	    fnmatch(r->word[1], kernel ? kernel : "-", 0))
		return false;
	if (!place_fits(d, r->word[2], &f->access))
		return f->has_other && r->word[3] && place_fits(d, r->word[2], &f->other) &&
		       place_fits(d, r->word[3], &f->access);
	return !r->word[3] || (f->has_other && place_fits(d, r->word[3], &f->other));
}

bool findings_suppressed(void *self, const struct check_finding *f)
{
	struct debug *d = self;
	for (size_t k = 0; k < d->commands->suppress.n; k++)
		if (rule_fits(d, &d->commands->suppress.rules[k], f))
			return true;
	return false;
}

static void look_again(struct debug *d)
{
	for (uint32_t n = 0; d->check && n < check_count(d->check); n++)
		check_finding_edit(d->check, n)->suppressed = findings_suppressed(d, check_at(d->check, n));
}

/* ---- lines ---- */

/* Blanks separate words; names of C++ kernels with blanks are written with `?`. Empty lines and those that begin with # say nothing. */
static bool take_line(struct suppress_state *r, const char *line, size_t n, unsigned number, struct text *why)
{
	struct suppress_rule rule = {{NULL}};
	unsigned words = 0;
	for (size_t at = 0; at < n;) {
		const size_t blanks = strspn(line + at, " \t\r"), word = strcspn(line + at + blanks, " \t\r\n");
		if (!word || line[at + blanks] == '#' || words == WORDS)
			break;
		rule.word[words++] = xstrndup(line + at + blanks, word);
		at += blanks + word;
	}
	if (words >= 3) {
		r->rules = xgrow(r->rules, &r->cap, r->n + 1, sizeof *r->rules);
		r->rules[r->n++] = rule;
		return true;
	}
	for (unsigned w = 0; w < words; w++)
		free(rule.word[w]);
	return !words || debug_fail(why, "line %u: expected `KIND KERNEL PLACE [PLACE]`", number);
}

bool suppress_read_file(struct debug *d, const char *path, struct text *why)
{
	struct suppress_state *r = &d->commands->suppress;
	size_t n = 0;
	char *bytes = *path ? files_read(d->host.files, path, FILES_READ, 1 << 20, &n) : NULL;
	if (*path && !bytes && errno != ENOENT)
		return debug_fail(why, "can't read '%s': %s", path, strerror(errno));
	bool ok = true;
	unsigned number = 1;
	forget_rules(r);
	free(r->file);
	r->file = *path ? xstrdup(path) : NULL;
	for (size_t at = 0; at < n && ok; number++) {
		const char *end = memchr(bytes + at, '\n', n - at);
		char *line = xstrndup(bytes + at, end ? (size_t)(end - bytes) - at : n - at);
		ok = take_line(r, line, strlen(line), number, why);
		free(line);
		at = end ? (size_t)(end - bytes) + 1 : n;
	}
	free(bytes);
	look_again(d);
	return ok;
}

static void word_text(const char *word, struct text *out)
{
	for (; *word; word++)
		text_addc(out, strchr(" \t*?[\\", *word) ? '?' : *word);
}

static void place_word(struct debug *d, const struct check_access *a, struct text *out)
{
	struct text t = {0};
	const struct debug_position source = a->has_pc ? position_of(d, a, 3) : (struct debug_position){0};
	if (a->has_pc)
		debug_position_text(d, source.line ? source : debug_ptx_position(d, a->pc), &t);
	else
		host_place(d, a, &t);
	text_addc(out, ' ');
	if (t.n)
		word_text(text_str(&t), out);
	else
		text_addc(out, '*');
	text_free(&t);
}

static void line_of(struct debug *d, const struct check_finding *f, struct text *out)
{
	const char *kernel = findings_kernel(d, f);
	text_addf(out, "%s ", check_kind_name((enum check_kind)f->kind));
	word_text(kernel ? kernel : "-", out);
	place_word(d, &f->access, out);
	if (f->has_other)
		place_word(d, &f->other, out);
	text_addc(out, '\n');
}

static bool append(struct debug *d, const char *path, const char *line, struct text *why)
{
	if (!files_append(d->host.files, path, line, strlen(line)))
		return debug_fail(why, "can't write '%s': %s", path, strerror(errno));
	return true;
}

bool findings_suppress(struct debug *d, const char *args, struct text *out, struct text *why)
{
	uint64_t n;
	struct text line = {0};
	if (!scan_u64(&args, &n) || !scan_end(args, why) || !d->check || !n || n > check_count(d->check))
		return debug_fail(why, "usage: check suppress N; `info findings` has the numbers");
	line_of(d, check_at(d->check, (uint32_t)n - 1), &line);
	bool ok = !d->commands->suppress.file ||
		  (debug_may_reach_host(d, "check suppress", why) && append(d, d->commands->suppress.file, text_str(&line), why));
	ok = ok && take_line(&d->commands->suppress, text_str(&line), line.n, 1, why);
	if (ok)
		text_add(out, text_str(&line));
	look_again(d);
	text_free(&line);
	return ok;
}
