/* The front end's row: recognizes PTXPlus by the plus sign behind its version, or by the file's name. */
#include <ctype.h>
#include <string.h>

#include "ptxplus/plus.h"
#include "ptxplus/ptxplus.h"

static bool has_plus_version(const char *text, size_t n)
{
	static const char version[] = ".version";
	const char *s = memmem(text, n, version, strlen(version)), *const end = text + n;
	if (!s)
		return false;
	for (s += strlen(version); s < end && (*s == ' ' || *s == '\t'); s++)
		;
	while (s < end && (isdigit((unsigned char)*s) || *s == '.'))
		s++;
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s < end && *s == '+';
}

static bool recognizes(const char *name, const char *text, size_t n)
{
	static const char ending[] = ".ptxplus";
	const size_t n_name = strlen(name), n_ending = strlen(ending);
	return has_plus_version(text, n) || (n_name > n_ending && !strcmp(name + n_name - n_ending, ending));
}

static enum isa_type register_type(enum isa_type declared)
{
	if (declared == ISA_PRED)
		return ISA_FLAGS;
	if (isa_type_bytes(declared) >= 4)
		return declared;
	return isa_type_is_signed(declared) ? ISA_S32 : isa_type_info[declared].cls == ISA_CLASS_UNSIGNED ? ISA_U32 : ISA_B32;
}

static const struct ptx_dialect dialect = {.item = plus_parse_item,
					   .instruction = plus_parse_instruction,
					   .register_type = register_type,
					   .placed = plus_placed,
					   .slots = plus_slots,
					   .begin = plus_begin,
					   .lower = plus_lower,
					   .end = plus_end};

static bool load(struct isa_program *p, const struct isa_text *t, struct diag_list *diags)
{
	return ptx_load_dialect(p, t, &dialect, &ptxplus_frontend, diags);
}

struct plus_state *plus_state_of(struct ptx_module *m)
{
	if (!m->dialect_state)
		m->dialect_state = POOL_NEW(&m->pool, struct plus_state);
	return m->dialect_state;
}

const struct isa_frontend ptxplus_frontend = {.name = "PTXPlus", .recognizes = recognizes, .load = load, .list = ptx_list};
