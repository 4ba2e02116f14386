/* vprintf(format, arguments): CUDA's printf.
 *
 * The compiler packs the arguments into a buffer, each at its natural alignment: integers promoted to 4 or 8 bytes, floats to
 * double. Formatting is the host's printf, one lane after the other; nothing is printed before all lanes' memory was found
 * readable. Result (CUDA C++ Programming Guide, "Formatted Output"): the number of arguments, -1 without a format. */
#include <inttypes.h>
#include <stdio.h>

#include "exec/builtins.h"
#include "isa/handlers.h"

#define FIFO_HEADER 16 /* of CUDA's buffer that a call takes: header, 8 bytes for each argument, the text of strings */
#define FIFO_WORD 8u
#define FIELD_MAX 4096	      /* wider fields are cut to this */
#define STRING_MAX (1u << 20) /* CUDA's whole printf buffer */

/* One lane's printf under way. */
struct printing {
	const struct exec *x;
	unsigned lane;
	uint64_t arguments, offset; /* generic address of the buffer, bytes used */
	unsigned n_args;
	unsigned pointer_bytes; /* of pointers, long, size_t */
	struct text *out;
	uint64_t fifo_bytes; /* of CUDA's buffer so far */
	uint64_t bad;	     /* address that could not be read */
	bool failed;
	exec_reads_fn reads; /* called for each read; may be NULL */
	void *self;
};

/* One conversion: %[flags][width][.precision][length]letter */
struct conversion {
	char flags[8];
	int width, precision; /* -1: none */
	char length[3];
	char letter;
};

static uint64_t next_argument(struct printing *p, unsigned bytes)
{
	uint64_t v = 0;
	p->offset = (p->offset + bytes - 1) / bytes * bytes;
	const uint64_t address = p->arguments + p->offset;
	const void *src = p->failed ? NULL : builtin_peek(p->x, p->lane, address, bytes);
	if (src) {
		memcpy(&v, src, bytes);
		if (p->reads)
			p->reads(p->self, address, bytes);
	} else if (!p->failed) {
		p->failed = true;
		p->bad = address;
	}
	p->offset += bytes;
	p->n_args++;
	return v;
}

/* A number or `*`; -1 if there is neither. */
static const char *parse_number(struct printing *p, const char *s, int *out)
{
	*out = -1;
	if (*s == '*') {
		*out = (int)(uint32_t)next_argument(p, 4);
		return s + 1;
	}
	for (; *s >= '0' && *s <= '9'; s++) {
		*out = (*out < 0 ? 0 : *out) * 10 + (*s - '0');
		if (*out > FIELD_MAX)
			*out = FIELD_MAX;
	}
	return s;
}

static const char *parse_conversion(struct printing *p, const char *s, struct conversion *c)
{
	size_t n = 0;
	*c = (struct conversion){.precision = -1};
	for (; *s && strchr("-+ #0", *s); s++)
		if (!strchr(c->flags, *s))
			c->flags[n++] = *s;
	s = parse_number(p, s, &c->width);
	if (c->width < -1 && !strchr(c->flags, '-'))
		c->flags[n] = '-'; /* a negative width from an argument */
	if (c->width < -1)
		c->width = c->width < -FIELD_MAX ? FIELD_MAX : -c->width;
	if (*s == '.') {
		s = parse_number(p, s + 1, &c->precision);
		if (c->precision == -1 && s[-1] == '.')
			c->precision = 0;
	}
	if (c->width > FIELD_MAX)
		c->width = FIELD_MAX;
	if (c->precision > FIELD_MAX)
		c->precision = FIELD_MAX;
	for (n = 0; *s && strchr("hljztLq", *s); s++)
		if (n < 2)
			c->length[n++] = *s;
	c->letter = *s;
	return *s ? s + 1 : s;
}

/* The host's format text for it. */
static void spell(const struct conversion *c, const char *length, char *out, size_t n)
{
	char width[16] = "", precision[16] = "";
	if (c->width >= 0)
		snprintf(width, sizeof width, "%d", c->width);
	if (c->precision >= 0)
		snprintf(precision, sizeof precision, ".%d", c->precision);
	snprintf(out, n, "%%%s%s%s%s%c", c->flags, width, precision, length, c->letter);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PRINT(p, c, length, value) \
	do { \
		char format_[64]; \
		spell(c, length, format_, sizeof format_); \
		text_addf((p)->out, format_, value); \
	} while (0)

static void print_integer(struct printing *p, const struct conversion *c)
{
	const bool is_signed = c->letter == 'd' || c->letter == 'i';
	unsigned bytes = 4, value_bytes = 4;
	if (!strcmp(c->length, "ll") || c->length[0] == 'j' || c->length[0] == 'q' || c->length[0] == 'L')
		bytes = value_bytes = 8;
	else if (c->length[0] == 'l' || c->length[0] == 'z' || c->length[0] == 't')
		bytes = value_bytes = p->pointer_bytes;
	else if (c->length[0] == 'h')
		value_bytes = c->length[1] == 'h' ? 1 : 2;
	const unsigned unused = 64 - 8 * value_bytes;
	const uint64_t v = next_argument(p, bytes) << unused;
	if (is_signed)
		PRINT(p, c, "ll", (long long)((int64_t)v >> unused));
	else
		PRINT(p, c, "ll", (unsigned long long)(v >> unused));
}

static void print_double(struct printing *p, const struct conversion *c)
{
	double d;
	const uint64_t v = next_argument(p, 8);
	memcpy(&d, &v, sizeof d);
	PRINT(p, c, "", d);
}

static void print_pointer(struct printing *p, const struct conversion *c)
{
	const uint64_t v = next_argument(p, p->pointer_bytes);
	void *pointer = NULL;
	memcpy(&pointer, &v, sizeof pointer);
	PRINT(p, c, "", pointer);
}

static void print_string(struct printing *p, const struct conversion *c)
{
	const uint64_t address = next_argument(p, p->pointer_bytes);
	const uint64_t limit = c->precision >= 0 ? (uint64_t)c->precision : STRING_MAX;
	struct text s = {0};
	if (!address) {
		text_add(&s, c->precision >= 0 && c->precision < 6 ? "" : "(null)");
	} else if (!p->failed && !builtin_string(p->x, p->lane, address, limit, &s)) {
		p->failed = true;
		p->bad = address;
	} else if (p->reads) {
		p->reads(p->self, address, s.n + (s.n < limit));
	}
	p->fifo_bytes += (s.n + FIFO_WORD) & ~(uint64_t)(FIFO_WORD - 1);
	PRINT(p, c, "", text_str(&s));
	text_free(&s);
}
#undef PRINT
#pragma GCC diagnostic pop

/* `start`: the text of the conversion, printed as it is if it isn't one. */
static void print_conversion(struct printing *p, const struct conversion *c, const char *start, const char *end)
{
	switch (c->letter) {
	case 'd':
	case 'i':
	case 'u':
	case 'o':
	case 'x':
	case 'X': print_integer(p, c); break;
	case 'c': {
		/* the host's %c with a field, also for a NUL */
		const char ch = (char)next_argument(p, 4);
		const bool left = strchr(c->flags, '-');
		for (int k = 1; !left && k < c->width; k++)
			text_addc(p->out, ' ');
		text_addn(p->out, &ch, 1);
		for (int k = 1; left && k < c->width; k++)
			text_addc(p->out, ' ');
		break;
	}
	case 's': print_string(p, c); break;
	case 'p': print_pointer(p, c); break;
	case 'f':
	case 'F':
	case 'e':
	case 'E':
	case 'g':
	case 'G':
	case 'a':
	case 'A': print_double(p, c); break;
	case '%': text_addc(p->out, '%'); break;
	default: text_addn(p->out, start, (size_t)(end - start));
	}
}

static void print_format(struct printing *p, const char *s)
{
	while (*s && !p->failed) {
		const size_t plain = strcspn(s, "%");
		text_addn(p->out, s, plain);
		s += plain;
		if (!*s)
			break;
		struct conversion c;
		const char *end = parse_conversion(p, s + 1, &c);
		print_conversion(p, &c, s, end);
		s = end;
	}
}

/* The text that a lane has printed, and the room it takes in CUDA's buffer. */
struct printed {
	size_t end;
	uint64_t fifo_bytes; /* 0: nothing was printed */
	int32_t result;
};

/* Prints a lane's text. Returns false if an address can't be read. Without a format nothing is printed. */
static bool print_call(struct printing *p, const struct isa_insn *i)
{
	const uint64_t format = builtin_arg(p->x, i, 0, 2, p->lane);
	struct text s = {0};
	if (!format)
		return true;
	p->pointer_bytes = exec_arg_bytes(p->x, i, exec_arg_count(p->x, i) - 2) == 4 ? 4 : 8;
	p->arguments = builtin_arg(p->x, i, 1, 2, p->lane);
	p->fifo_bytes = FIFO_HEADER;
	if (!builtin_string(p->x, p->lane, format, STRING_MAX, &s)) {
		p->failed = true;
		p->bad = format;
	} else {
		print_format(p, text_str(&s));
	}
	text_free(&s);
	return !p->failed;
}

/* Prints a lane's text and describes it in *r. Returns false after raising a fault. */
static bool print_lane(struct exec *x, const struct isa_insn *i, unsigned lane, struct text *out, struct printed *r)
{
	struct printing p = {.x = x, .lane = lane, .out = out};
	*r = (struct printed){.end = out->n, .result = -1};
	if (!print_call(&p, i))
		builtin_bad_address(x, lane, p.bad, "printf reads");
	else if (p.fifo_bytes)
		*r = (struct printed){out->n, p.fifo_bytes + FIFO_WORD * (uint64_t)p.n_args, (int32_t)p.n_args};
	return !p.failed;
}

bool exec_is_printf(const struct exec *x, const struct isa_insn *i)
{
	return i->handler == ISA_H_call_builtin && i->target < x->n_builtins &&
	       x->builtins[i->target] == exec_b_vprintf;
}

void exec_printf_reads(const struct exec *x, const struct isa_insn *i, unsigned lane, exec_reads_fn reads, void *self)
{
	struct text out = {0};
	struct printing p = {.x = x, .lane = lane, .out = &out, .reads = reads, .self = self};
	print_call(&p, i);
	text_free(&out);
}

EXEC_BUILTIN(vprintf)
{
	struct text out = {0};
	struct printed r[LANES];
	bool ok = true;
	size_t from = 0;
	LANES_EACH (l, x->mask)
		ok = ok && print_lane(x, i, l, &out, &r[l]);
	LANES_EACH (l, x->mask) {
		if (ok && r[l].fifo_bytes)
			x->services.output(x->services.self, text_str(&out) + from, r[l].end - from, r[l].fifo_bytes);
		from = ok ? r[l].end : 0;
	}
	text_free(&out);
	if (!ok)
		return;
	if (exec_arg_count(x, i) > 2)
		LANES_EACH (l, x->mask)
			exec_arg_write(x, i, 0, l, &r[l].result, sizeof r[l].result);
}
