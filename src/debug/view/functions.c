/* Kernels and functions by the names users give them: PTX's, C++'s with or without arguments, const before or after the type. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/view/functions.h"
#include "debug/view/inlined.h"
#include "debug/view/name_match.h"
#include "debug/view/room.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

void debug_names_changed(struct debug *d)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		uint32_t known;
		size_t n;
		if (!f->demangled || hash_map_get(&d->view->short_names, f->name, strlen(f->name), &known))
			continue;
		const char *bare = name_bare(f->demangled, &n);
		size_t file = name_file_scope(bare, n);
		bare += file;
		n -= file;
		d->view->short_list = xgrow(d->view->short_list, &d->view->cap_short, d->view->n_short + 1, sizeof *d->view->short_list);
		d->view->short_list[d->view->n_short] = pool_strn(&d->view->names, bare, n);
		const char *key = pool_strn(&d->view->names, f->name, strlen(f->name));
		hash_map_put(&d->view->short_names, key, strlen(key), (uint32_t)d->view->n_short++);
	}
}

const char *debug_function_name(const struct debug *d, const struct isa_function *f)
{
	uint32_t k;
	if (d->settings.demangle && f->demangled && hash_map_get(&d->view->short_names, f->name, strlen(f->name), &k))
		return d->view->short_list[k];
	return f->name;
}

/* ---- a name as the source has it ---- */

#define DEPTH_MAX 32 /* of brackets in a name; beyond it the name stays as it is */

struct spelling {
	const char *s, *end;
	struct text *out;
	bool before_type; /* here a type begins */
	struct {
		bool is_const, is_volatile;
	} before[DEPTH_MAX]; /* what stood before the type at hand, at each depth of brackets */
	unsigned depth;
};

static size_t word_length(const struct spelling *p)
{
	size_t n = 0;
	while (p->s + n < p->end && (isalnum((unsigned char)p->s[n]) || p->s[n] == '_'))
		n++;
	return n;
}

static bool is_word(const char *s, size_t n, const char *word) { return strlen(word) == n && !memcmp(s, word, n); }

static void take_word(struct spelling *p, size_t n)
{
	const char *word = p->s;
	p->s += n;
	if (p->before_type && (is_word(word, n, "const") || is_word(word, n, "volatile"))) {
		*(*word == 'c' ? &p->before[p->depth].is_const : &p->before[p->depth].is_volatile) = true;
		return;
	}
	text_addc(p->out, ' ');
	text_addn(p->out, word, n);
	p->before_type = false;
	if (!is_word(word, n, "unsigned"))
		return;
	while (p->s < p->end && isspace((unsigned char)*p->s))
		p->s++;
	n = word_length(p);
	if (!is_word(p->s, n, "int") && !is_word(p->s, n, "char") && !is_word(p->s, n, "short") &&
	    !is_word(p->s, n, "long"))
		text_add(p->out, " int");
}

static void take_mark(struct spelling *p)
{
	char c = *p->s++;
	if (strchr("*&,)>", c)) {
		text_add(p->out, p->before[p->depth].is_const ? " const" : "");
		text_add(p->out, p->before[p->depth].is_volatile ? " volatile" : "");
		p->before[p->depth].is_const = p->before[p->depth].is_volatile = false;
	}
	if (c == '<' || c == '(')
		p->depth++;
	else if ((c == '>' || c == ')') && p->depth)
		p->depth--;
	p->before_type = c == '<' || c == '(' || c == ',';
	text_addc(p->out, c);
}

/* As demangled names have it: const and volatile after its type (`float const*`), unsigned as `unsigned int`. */
static void canonical_name(const char *name, size_t n, struct text *out)
{
	struct spelling p = {.s = name, .end = name + n, .out = out};
	while (p.s < p.end && p.depth + 1 < DEPTH_MAX) {
		size_t word = word_length(&p);
		if (word)
			take_word(&p, word);
		else if (isspace((unsigned char)*p.s))
			p.s++;
		else
			take_mark(&p);
	}
	if (p.s < p.end) {
		text_clear(out);
		text_addn(out, name, n);
	}
}

/* ---- search ---- */

static void list_names(const struct debug *d, bool kernels, struct text *why)
{
	const struct isa_program *p = debug_program(d);
	unsigned shown = 0;
	for (uint32_t i = 0; i < p->n_functions && shown <= 8; i++) {
		const struct isa_function *f = p->functions[i];
		if (f->unloaded || !f->is_defined || (kernels && !f->is_kernel))
			continue;
		if (shown == 8)
			text_add(why, ", ...");
		else
			text_addf(why, "%s%s", shown ? ", " : "; loaded: ", f->demangled ? f->demangled : f->name);
		shown++;
	}
}

struct search {
	struct debug *d;
	const char *typed; /* `n_typed` bytes; a PTX name has to be the same */
	size_t n_typed;
	struct text canonical;
	bool kernels;
	struct debug_chosen chosen;
	bool no_module;			 /* there is none of the name that was given */
	bool loose;			 /* the last parts of a name mean it, too, as in gdb's places */
	const struct isa_function *best; /* the newest of those that fit best */
	int score;
	uint32_t ties; /* how many more fit as well: of one module the newest of a name alone counts */
	bool of_modules; /* all of them have one name, in several modules */
};

static int fits(const struct search *s, const char *mangled, const char *demangled)
{
	if (strlen(mangled) == s->n_typed && !memcmp(mangled, s->typed, s->n_typed))
		return 5;
	if (s->n_typed > 2 && !memcmp(s->typed, "::", 2) && strlen(mangled) == s->n_typed - 2 &&
	    !memcmp(mangled, s->typed + 2, s->n_typed - 2))
		return 5;
	return demangled ? name_match(demangled, text_str(&s->canonical), s->canonical.n, s->loose) : 0;
}

#define OF_FILE 10 /* is added to the score of functions of the chosen file */

static int score(const struct search *s, const struct isa_function *f)
{
	const uint32_t module = s->chosen.module;
	if (f->unloaded || !f->is_defined || (s->kernels && !f->is_kernel) ||
	    (module != DEBUG_ANY_MODULE && isa_program_module_of(debug_program(s->d), f->file) != module))
		return 0;
	const int found = fits(s, f->name, f->demangled);
	return found && f->file == s->chosen.file ? found + OF_FILE : found;
}

static void search_init(struct search *s, struct debug *d, const char *name, size_t n, bool kernels)
{
	while (n && isspace((unsigned char)*name)) {
		name++;
		n--;
	}
	while (n && isspace((unsigned char)name[n - 1]))
		n--;
	*s = (struct search){.d = d, .kernels = kernels};
	s->no_module = !debug_module_chosen(d, &name, &n, &s->chosen);
	s->typed = name;
	s->n_typed = n;
	canonical_name(name, n, &s->canonical);
}

/* One more that fits as well as the best so far, and is newer. */
static void tie(struct search *s, const struct isa_function *f)
{
	const struct isa_program *p = debug_program(s->d);
	const bool same_name = !strcmp(f->name, s->best->name),
		   same_module = isa_program_module_of(p, f->file) == isa_program_module_of(p, s->best->file);
	s->of_modules = same_name && !same_module && (!s->ties || s->of_modules);
	s->ties += !(same_module && s->score % OF_FILE == 5);
}

static void search_functions(struct search *s)
{
	const struct isa_program *p = debug_program(s->d);
	for (uint32_t i = 0; i < p->n_functions && !s->no_module; i++) {
		int found = score(s, p->functions[i]);
		if (!found || found < s->score)
			continue;
		if (found == s->score) {
			tie(s, p->functions[i]);
		} else {
			s->ties = 0;
			s->of_modules = false;
		}
		s->score = found;
		s->best = p->functions[i];
	}
}

/* Of those in several modules the focused kernel's own is meant. */
static bool prefer_own(struct search *s)
{
	const struct isa_program *p = debug_program(s->d);
	struct debug_where w;
	if (!s->of_modules || !debug_focus_where(s->d, &w))
		return false;
	const uint32_t own = isa_program_module_of(p, p->functions[w.launch.function]->file);
	for (uint32_t i = p->n_functions; i-- > 0;)
		if (isa_program_module_of(p, p->functions[i]->file) == own && score(s, p->functions[i]) == s->score) {
			s->best = p->functions[i];
			return true;
		}
	return false;
}

static void say_modules(const struct search *s, struct text *why)
{
	enum { MOST = 9 };
	const struct isa_program *p = debug_program(s->d);
	uint32_t files[MOST];
	size_t n = 0;
	for (uint32_t i = 0; i < p->n_functions && n < MOST; i++)
		if (score(s, p->functions[i]) == s->score)
			files[n++] = p->functions[i]->file;
	text_addf(why, "%.*s: several modules have it: ", (int)s->n_typed, s->typed);
	debug_module_choices(s->d, files, n, s->typed, s->n_typed, why);
}

static const struct isa_function *find(struct debug *d, const char *name, size_t n, bool kernels, bool loose,
				       struct text *why)
{
	struct search s;
	search_init(&s, d, name, n, kernels);
	s.loose = loose;
	search_functions(&s);
	const bool clear = s.best && (!s.ties || prefer_own(&s));
	if (s.best && !clear && s.of_modules)
		say_modules(&s, why);
	text_free(&s.canonical);
	if (clear)
		return s.best;
	if (s.best && s.of_modules)
		return NULL;
	if (s.best)
		debug_fail(why, "%.*s: several %s have that name: give the parameters too, as in %s", (int)s.n_typed,
			   s.typed, kernels ? "kernels" : "functions",
			   s.best->demangled ? s.best->demangled : s.best->name);
	else if (!debug_program(d)->n_functions)
		debug_fail(why, "no kernel \"%.*s\": nothing is loaded", (int)s.n_typed, s.typed);
	else {
		text_addf(why, "no %s \"%.*s\"", kernels ? "kernel" : "function", (int)s.n_typed, s.typed);
		list_names(d, kernels, why);
	}
	return NULL;
}

const struct isa_function *debug_find_kernel(struct debug *d, const char *name, size_t n, struct text *why)
{
	return find(d, name, n, true, true, why);
}

const struct isa_function *debug_find_function(struct debug *d, const char *name, size_t n, struct text *why)
{
	return find(d, name, n, false, name_is_qualified(name, n), why);
}

const struct isa_function *debug_find_function_anywhere(struct debug *d, const char *name, size_t n, struct text *why)
{
	return find(d, name, n, false, true, why);
}

bool debug_kernel_fits(struct debug *d, const char *name, size_t n, const struct isa_function *f)
{
	struct search s;
	search_init(&s, d, name, n, true);
	s.loose = true;
	const int found = score(&s, f);
	if (found)
		search_functions(&s);
	text_free(&s.canonical);
	return found && found == s.score;
}

/* ---- functions as places, inlined copies included ---- */

/* Does the name fit the function that a .loc says its code was inlined from? */
static bool fits_inlined(const struct search *s, const char *function)
{
	struct text whole = {0};
	if (!function)
		return false;
	const char *plain = demangle_name(function, true, &whole) ? whole.s : NULL;
	const char *rest = plain && !strncmp(plain, "_INTERNAL_", 10) ? strstr(plain, "::") : NULL;
	bool found = fits(s, function, rest ? rest + 2 : plain) > 0;
	text_free(&whole);
	return found;
}

bool debug_name_fits(struct debug *d, const char *name, size_t n, const char *function)
{
	struct search s;
	search_init(&s, d, name, n, false);
	s.loose = true;
	bool found = fits_inlined(&s, function);
	text_free(&s.canonical);
	return found;
}

/* The locations that an inlined copy's code has, by their numbers; NULL: there are none. */
static bool *inlined_locs(const struct search *s)
{
	size_t n = debug_loc_count(s->d);
	bool *named = xcalloc(n + 1, sizeof *named), any = false;
	const char *last = NULL;
	bool last_fits = false;
	for (size_t k = 0; k < n; k++) {
		uint32_t loc = debug_loc_numbered(s->d, k);
		if (debug_loc_outer(s->d, loc) == ISA_NO_LOC)
			continue;
		const char *function = debug_loc(s->d, loc)->function;
		if (function != last)
			last_fits = fits_inlined(s, function);
		last = function;
		named[k] = last_fits;
		any |= last_fits;
	}
	if (any)
		return named;
	free(named);
	return NULL;
}

/* Where the instruction's copy was inlined at; ISA_NO_LOC: it is of none of them. */
static uint32_t inlined_copy(struct debug *d, const bool *named, uint32_t pc)
{
	uint32_t loc = debug_loc_at(d, pc), depth = 0;
	for (; loc != ISA_NO_LOC && depth < DEBUG_INLINED_MAX; loc = debug_loc_outer(d, loc), depth++)
		if (named[debug_loc_number(d, loc)])
			return debug_loc_outer(d, loc);
	return ISA_NO_LOC;
}

/* All files' debug information has to be read before what it adds can be counted. */
static void read_all(struct debug *d)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (!p->functions[i]->unloaded && p->functions[i]->first < p->functions[i]->end)
			debug_loc_at(d, p->functions[i]->first);
}

static uint32_t add_inlined(const struct search *s, debug_place_fn *add, void *self)
{
	const struct isa_program *p = debug_program(s->d);
	read_all(s->d);
	bool *named = inlined_locs(s);
	uint32_t n = 0;
	if (!named)
		return 0;
	/* copy -> 1 + the function it was found in */
	uint32_t *seen = xcalloc(debug_loc_count(s->d) + 1, sizeof *seen);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		for (uint32_t pc = f->first; pc < f->end && !f->unloaded; pc++) {
			uint32_t copy = inlined_copy(s->d, named, pc);
			if (copy == ISA_NO_LOC || seen[debug_loc_number(s->d, copy)] == i + 1)
				continue;
			seen[debug_loc_number(s->d, copy)] = i + 1;
			add(self, pc);
			n++;
		}
	}
	free(seen);
	free(named);
	return n;
}

uint32_t debug_function_places(struct debug *d, const char *name, size_t n, debug_place_fn *add, void *self)
{
	const struct isa_program *p = debug_program(d);
	struct search s;
	uint32_t found = 0;
	search_init(&s, d, name, n, false);
	s.loose = true;
	search_functions(&s);
	for (uint32_t i = 0; i < p->n_functions && s.best; i++) {
		const struct isa_function *f = p->functions[i];
		if (f->first == f->end || (s.ties ? score(&s, f) != s.score : f != s.best))
			continue;
		add(self, f->first);
		found++;
	}
	found += add_inlined(&s, add, self);
	text_free(&s.canonical);
	return found;
}
