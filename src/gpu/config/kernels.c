/* Options that say something of kernels, by their names in the PTX or in C++: KERNEL:VALUE[,KERNEL:VALUE]. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "gpu/config/config_internal.h"

static bool read_registers(const char *text, size_t n, uint32_t *number)
{
	char *end;
	errno = 0;
	unsigned long v = strtoul(text, &end, 10);
	*number = (uint32_t)v;
	return n && end == text + n && !errno && v >= 1 && v <= 65536;
}

static bool read_cache(const char *text, size_t n, uint32_t *choice)
{
	*choice = n == 2 && !memcmp(text, "L1", n) ? CONFIG_CACHE_L1 : CONFIG_CACHE_SHARED;
	return *choice == CONFIG_CACHE_L1 || (n == 6 && !memcmp(text, "shared", n));
}

static const struct kernel_option {
	const char *name, *form;
	bool (*read)(const char *text, size_t n, uint32_t *value);
} registers_option = {"gpgpu_kernel_registers", "KERNEL:N[,KERNEL:N]", read_registers},
  cache_option = {"gpgpu_kernel_cache", "KERNEL:L1|shared[,KERNEL:L1|shared]", read_cache};

struct pair {
	const char *name;
	size_t n_name;
	uint32_t value;
};

/* Reads the pair at *at and moves *at behind it. A C++ name may contain `::`, and in parentheses and angle brackets also `,`. Returns false if the pair is
 * malformed. */
static bool next_pair(const struct kernel_option *o, const char **at, struct pair *out)
{
	const char *s = *at, *colon = NULL;
	int depth = 0;
	for (; *s && (depth > 0 || *s != ','); s++) {
		depth += *s == '(' || *s == '<' ? 1 : *s == ')' || *s == '>' ? -1 : 0;
		if (*s == ':' && s[1] == ':')
			s++;
		else if (*s == ':')
			colon = s;
	}
	if (!colon || colon == *at || !o->read(colon + 1, (size_t)(s - colon) - 1, &out->value))
		return false;
	out->name = *at;
	out->n_name = (size_t)(colon - *at);
	*at = *s ? s + 1 : s;
	return true;
}

/* ---- names ---- */

/* Returns whether two texts are equal but for blanks. */
static bool is_same_name(const char *a, size_t n_a, const char *b, size_t n_b)
{
	size_t i = 0, k = 0;
	for (;; i++, k++) {
		while (i < n_a && a[i] == ' ')
			i++;
		while (k < n_b && b[k] == ' ')
			k++;
		if (i == n_a || k == n_b)
			return i == n_a && k == n_b;
		if (a[i] != b[k])
			return false;
	}
}

/* Returns the offset behind the last `what` that stands in no parentheses or angle brackets, or 0. */
static size_t behind_last(const char *s, size_t n, char what)
{
	size_t at = 0;
	int depth = 0;
	for (size_t i = 0; i < n; i++) {
		depth += s[i] == '(' || s[i] == '<' ? 1 : s[i] == ')' || s[i] == '>' ? -1 : 0;
		if (!depth && s[i] == what)
			at = i + 1;
	}
	return at;
}

/* Returns whether the pair's name is a C++ name or the end of one: with or without namespaces. */
static bool ends_name(const struct pair *p, const char *s, size_t n)
{
	const size_t bare = behind_last(s, n, ':');
	return is_same_name(p->name, p->n_name, s, n) || is_same_name(p->name, p->n_name, s + bare, n - bare);
}

/* Returns whether the pair means a C++ name: without its return type, with or without parameters and template arguments. */
static bool means_plain_name(const struct pair *p, const char *mangled)
{
	struct text whole = {0}, plain = {0};
	bool ok = false;
	if (demangle_name(mangled, true, &whole) && demangle_name(mangled, false, &plain)) {
		const size_t from = behind_last(plain.s, plain.n, ' ');
		const char *s = plain.s + from, *w = strstr(whole.s, s);
		const size_t arguments = strcspn(s, "<");
		ok = ends_name(p, s, plain.n - from) || ends_name(p, s, arguments) || is_same_name(p->name, p->n_name, whole.s, whole.n) ||
		     (w && is_same_name(p->name, p->n_name, w, strlen(w)));
	}
	text_free(&whole);
	text_free(&plain);
	return ok;
}

static bool means(const struct pair *p, const char *kernel)
{
	return (strlen(kernel) == p->n_name && !memcmp(kernel, p->name, p->n_name)) || means_plain_name(p, kernel);
}

/* Returns the value of the first pair that means the kernel, or 0 if there is none. */
static uint32_t value_of_kernel(const struct config *c, const struct kernel_option *o, const char *kernel)
{
	const char *at = config_string(c, o->name);
	struct pair p;
	while (*at && next_pair(o, &at, &p))
		if (means(&p, kernel))
			return p.value;
	return 0;
}

uint32_t config_kernel_registers(const struct config *c, const char *kernel) { return value_of_kernel(c, &registers_option, kernel); }

enum config_cache config_kernel_cache(const struct config *c, const char *kernel, enum config_cache preference)
{
	const enum config_cache named = (enum config_cache)value_of_kernel(c, &cache_option, kernel);
	if (named || preference == CONFIG_CACHE_DEFAULT)
		return named;
	if (preference == CONFIG_CACHE_L1)
		return config_is_set(c, "gpgpu_cache:dl1PrefL1") || config_is_set(c, "gpgpu_shmem_size_PrefL1") ? preference : CONFIG_CACHE_DEFAULT;
	return config_is_set(c, "gpgpu_cache:dl1PreShared") || config_is_set(c, "gpgpu_cache:dl1PrefShared") ||
			       config_is_set(c, "gpgpu_shmem_size_PrefShared")
		       ? preference
		       : CONFIG_CACHE_DEFAULT;
}

/* ---- checks ---- */

static void check(const struct config *c, const struct kernel_option *o, struct diag_list *diags)
{
	const char *at = config_string(c, o->name);
	struct pair p;
	while (*at && next_pair(o, &at, &p))
		;
	if (*at)
		config_error(c, o->name, diags, "bad value '%s' for -%s, expected %s", at, o->name, o->form);
}

void config_check_kernel_options(const struct config *c, struct diag_list *diags)
{
	check(c, &registers_option, diags);
	check(c, &cache_option, diags);
}

static void add_unmatched(const struct config *c, const struct kernel_option *o, const char *(*kernel)(void *self, uint32_t k), void *self,
			  struct text *out)
{
	const char *at = config_string(c, o->name), *name;
	struct pair p;
	while (*at && next_pair(o, &at, &p)) {
		bool is_there = false;
		for (uint32_t k = 0; !is_there && (name = kernel(self, k)) != NULL; k++)
			is_there = means(&p, name);
		if (!is_there)
			text_addf(out, "note: -%s: there was no kernel %.*s\n", o->name, (int)p.n_name, p.name);
	}
}

void config_unmatched_kernels(const struct config *c, const char *(*kernel)(void *self, uint32_t k), void *self, struct text *out)
{
	add_unmatched(c, &registers_option, kernel, self, out);
	add_unmatched(c, &cache_option, kernel, self, out);
}
