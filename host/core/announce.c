/* Writes a program's call as text, `cudaMemcpy(to = 0x80000000, from = 0x7ffd1000, bytes = 64, kind = cudaMemcpyHostToDevice)`, from its registers and
 * stack and the parameters that the entry point is defined with. */
#include "host/core/announce.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/host.h"

/* Parameters of the entry points, as host/arguments.awk finds them in their definitions. */
static const struct {
	const char *name, *parameters;
} known[] = {
#define ARGUMENTS(name, parameters) {#name, parameters},
#include "arguments.h"
#undef ARGUMENTS
};

#define TEXT_MAX 2000u
#define STRING_MAX 60u

struct text {
	char s[TEXT_MAX];
	size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const int n = vsnprintf(t->s + t->n, TEXT_MAX - t->n, fmt, ap);
	va_end(ap);
	t->n = n < 0 ? t->n : t->n + (size_t)n < TEXT_MAX ? t->n + (size_t)n : TEXT_MAX - 1;
}

/* ---- arguments one by one, as the x86-64 ABI passes them ---- */

struct arguments {
	const struct gate_call *call;
	unsigned registers, words; /* used so far */
};

static uint64_t next_word(struct arguments *a)
{
	return a->registers < 6 ? a->call->integer[a->registers++] : a->call->stack[a->words++];
}

/* Takes a structure of n bytes: up to 16 bytes in two registers if both are free, else on the stack. */
static void take_structure(struct arguments *a, size_t n, uint64_t *word)
{
	const unsigned words = (unsigned)((n + 7) / 8);
	const bool in_registers = words <= 2 && a->registers + words <= 6;
	for (unsigned k = 0; k < words; k++)
		word[k] = in_registers ? a->call->integer[a->registers++] : a->call->stack[a->words++];
}

/* ---- values ---- */

static void add_string(struct text *t, uint64_t address)
{
	char s[STRING_MAX + 1] = "";
	size_t n = 0;
	while (n < STRING_MAX && host_copy(&s[n], (const void *)(uintptr_t)(address + n), 1) && isprint((unsigned char)s[n]))
		n++;
	if (n == STRING_MAX || (!s[n] && n))
		add(t, "\"%.*s\"%s", (int)n, s, n == STRING_MAX ? "..." : "");
	else
		add(t, "0x%" PRIx64, address);
}

static void add_kind(struct text *t, uint32_t kind)
{
	static const char *const kinds[] = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default"};
	if (kind < sizeof kinds / sizeof *kinds)
		add(t, "cudaMemcpy%s", kinds[kind]);
	else
		add(t, "%u", kind);
}

static void add_pointer(struct text *t, const char *type, const char *name, uint64_t v)
{
	const char *kernel = !strcmp(name, "function") || !strcmp(name, "kernel") ? host_kernel_name((const void *)(uintptr_t)v) : NULL;
	if (!v)
		add(t, "NULL");
	else if (!strncmp(type, "const char *", 12) && type[12] != '*')
		add_string(t, v);
	else
		add(t, kernel ? "0x%" PRIx64 " <%s>" : "0x%" PRIx64, v, kernel);
}

/* Structures that entry points take by value, and how many 64-bit words those have that are shown. */
static const struct {
	const char *type;
	size_t bytes;
} structures[] = {
	{"struct host_dim", 12}, {"struct extent", 24}, {"struct place", 8}, {"struct pitched", 32}, {"struct ipc_handle", 64}, {"struct host_channels", 20},
};

/* Adds a structure. Returns false if its type isn't known: then the arguments behind it aren't either. */
static bool add_structure(struct text *t, struct arguments *a, const char *type)
{
	uint64_t word[8];
	for (size_t k = 0; k < sizeof structures / sizeof *structures; k++) {
		const char *after = type + strlen(structures[k].type);
		if (strncmp(type, structures[k].type, strlen(structures[k].type)) || *after != ' ')
			continue;
		take_structure(a, structures[k].bytes, word);
		if (!k)
			add(t, "{%u, %u, %u}", (unsigned)word[0], (unsigned)(word[0] >> 32), (unsigned)word[1]);
		else if (k == 1)
			add(t, "{%" PRIu64 ", %" PRIu64 ", %" PRIu64 "}", word[0], word[1], word[2]);
		else
			add(t, "{...}");
		return true;
	}
	return false;
}

static bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

/* Adds the value of a parameter, whose declaration is `p`. Returns false if its type isn't known. */
static bool add_value(struct text *t, struct arguments *a, const char *p, const char *name)
{
	if (strchr(p, '*')) {
		add_pointer(t, p, name, next_word(a));
	} else if (begins(p, "struct ")) {
		return add_structure(t, a, p);
	} else if (begins(p, "float") || begins(p, "double")) {
		return false;
	} else if (begins(p, "uint64_t")) {
		add(t, "0x%" PRIx64, next_word(a));
	} else if (begins(p, "size_t") || begins(p, "unsigned long")) {
		add(t, "%" PRIu64, next_word(a));
	} else if (begins(p, "unsigned") || begins(p, "uint32_t")) {
		add(t, "%" PRIu32, (uint32_t)next_word(a));
	} else if (!strcmp(name, "kind") && begins(a->call->row->name, "cudaMemcpy")) {
		add_kind(t, (uint32_t)next_word(a));
	} else {
		add(t, "%" PRId32, (int32_t)next_word(a));
	}
	return true;
}

/* Copies the name out of a declaration: the last word, or of a pointer to a function the word behind (*. */
static void name_of(const char *p, char *name, size_t room)
{
	const char *inner = strstr(p, "(*"), *begin = inner ? inner + 2 : p + strlen(p);
	while (!inner && begin > p && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
		begin--;
	size_t n = 0;
	while (n + 1 < room && (isalnum((unsigned char)begin[n]) || begin[n] == '_'))
		n++;
	memcpy(name, begin, n);
	name[n] = '\0';
}

/* Returns the length of a parameter's declaration, up to a comma that is in no bracket. */
static size_t parameter_length(const char *p)
{
	int depth = 0;
	size_t n = 0;
	for (; p[n] && (depth || p[n] != ','); n++)
		depth += (p[n] == '(') - (p[n] == ')');
	return n;
}

static void add_arguments(struct text *t, const struct gate_call *call, const char *parameters)
{
	struct arguments a = {.call = call};
	char p[256], name[64];
	if (!strcmp(parameters, "void"))
		return;
	for (bool any = false; *parameters; any = true) {
		parameters += strspn(parameters, ", ");
		const size_t n = parameter_length(parameters);
		snprintf(p, sizeof p, "%.*s", (int)n, parameters);
		parameters += n;
		name_of(p, name, sizeof name);
		add(t, "%s%s = ", any ? ", " : "", name);
		if (!add_value(t, &a, p, name)) {
			add(t, "...");
			return;
		}
	}
}

static const char *parameters_of(const char *name)
{
	for (size_t k = 0; k < sizeof known / sizeof *known; k++)
		if (!strcmp(known[k].name, name))
			return known[k].parameters;
	return NULL;
}

/* Returns the length of a name as CUDA's headers declare it: without _v2 and the ending of per-thread functions. */
static size_t plain_length(const char *name)
{
	const char *per_thread = strstr(name, "_pt");
	size_t n = per_thread ? (size_t)(per_thread - name) : strlen(name);
	if (n > 3 && name[n - 3] == '_' && name[n - 2] == 'v' && isdigit((unsigned char)name[n - 1]))
		n -= 3;
	return n;
}

void announce_call(const struct gate_call *call)
{
	struct text t;
	const char *own = parameters_of(call->row->target), *parameters = own ? own : parameters_of(call->row->name);
	const char *name = call->row->name + strspn(call->row->name, "_");
	t.n = 0;
	add(&t, "%.*s(", (int)plain_length(name), name);
	if (parameters)
		add_arguments(&t, call, parameters);
	else
		add(&t, "...");
	add(&t, ")");
	if (!strncmp(name, "cudaLaunchKernel", strlen("cudaLaunchKernel"))) /* nvcc's code around <<<>>> makes the call */
		host_thread()->caller = host_thread()->launches_from;
	call_entered(&(struct call_entered){0}, t.s, t.n, NULL);
	host_thread()->caller = NULL;
}
