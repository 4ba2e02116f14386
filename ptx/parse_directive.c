/* Directives between a function's head and its body (ISA "Performance-Tuning Directives", "Cluster Dimension Directives"). */
#include "ptx/parse.h"

enum { FOR_KERNELS = 1, FOR_FUNCTIONS = 2 };

/* Where a directive may stand and since when (version times ten). */
static const struct {
	uint8_t keyword, where, version, sm;
} rules[] = {
	{KW_MAXNTID, FOR_KERNELS, 13, 0},
	{KW_REQNTID, FOR_KERNELS, 21, 0},
	{KW_MINNCTAPERSM, FOR_KERNELS, 20, 0},
	{KW_MAXNCTAPERSM, FOR_KERNELS, 13, 0},
	{KW_MAXNREG, FOR_KERNELS, 13, 0},
	{KW_REQNCTAPERCLUSTER, FOR_KERNELS, 78, 90},
	{KW_EXPLICITCLUSTER, FOR_KERNELS, 78, 90},
	{KW_MAXCLUSTERRANK, FOR_KERNELS, 78, 90},
	{KW_BLOCKSARECLUSTERS, FOR_KERNELS, 90, 90},
	{KW_NORETURN, FOR_FUNCTIONS, 64, 30},
	{KW_ABI_PRESERVE, FOR_FUNCTIONS, 90, 80},
	{KW_ABI_PRESERVE_CONTROL, FOR_FUNCTIONS, 90, 80},
};

static bool check_rule(struct ptx_parser *p, const struct ptx_function *f, enum ptx_keyword k)
{
	const char *text = ptx_parse_show(p, ptx_parse_slice(p, &p->tok));

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (rules[i].keyword != k)
			continue;
		if (!(rules[i].where & (f->is_kernel ? FOR_KERNELS : FOR_FUNCTIONS)))
			ptx_parse_error(p, p->tok.at, "%s is for %s only", text,
					f->is_kernel ? "functions" : "kernels");
		else if (!ptx_parse_version_at_least(p, rules[i].version / 10, rules[i].version % 10))
			ptx_parse_error(p, p->tok.at, "%s needs .version %u.%u or later", text, rules[i].version / 10u,
					rules[i].version % 10u);
		else if (p->m->sm < rules[i].sm)
			ptx_parse_error(p, p->tok.at, "%s needs .target sm_%u or later", text, rules[i].sm);
		return true;
	}
	return ptx_parse_unexpected(p, "a performance directive, '{' or ';'");
}

static bool parse_numbers(struct ptx_parser *p, uint32_t *v, unsigned n_max)
{
	ptx_parse_advance(p);
	for (unsigned i = 0; i < n_max; i++) {
		ptx_offset at = p->tok.at;

		if (ptx_slice_is(ptx_parse_slice(p, &p->tok), "WARP_SZ")) {
			v[i] = 32;
			ptx_parse_advance(p);
		} else if (!ptx_parse_u32(p, &v[i], "a number")) {
			return false;
		}
		if (!v[i])
			ptx_parse_error(p, at, "expected a number above 0");
		if (i + 1 == n_max || !ptx_parse_accept(p, ','))
			break;
	}
	return true;
}

static bool parse_shape(struct ptx_parser *p, uint32_t *v)
{
	v[0] = v[1] = v[2] = 1;
	return parse_numbers(p, v, 3);
}

/* A directive's arguments. */
static bool parse_directive(struct ptx_parser *p, struct ptx_function *f, enum ptx_keyword k)
{
	switch (k) {
	case KW_MAXNTID: return parse_shape(p, f->maxntid);
	case KW_REQNTID: return parse_shape(p, f->reqntid);
	case KW_REQNCTAPERCLUSTER: return parse_shape(p, f->reqnctapercluster);
	case KW_MINNCTAPERSM: return parse_numbers(p, &f->minnctapersm, 1);
	case KW_MAXNCTAPERSM:
		if (ptx_parse_version_at_least(p, 2, 1))
			ptx_parse_error(p, p->tok.at, ".maxnctapersm is gone since PTX 2.1: expected .minnctapersm");
		return parse_numbers(p, &f->maxnctapersm, 1);
	case KW_MAXNREG: return parse_numbers(p, &f->maxnreg, 1);
	case KW_MAXCLUSTERRANK: return parse_numbers(p, &f->maxclusterrank, 1);
	case KW_ABI_PRESERVE: return parse_numbers(p, &f->abi_preserve, 1);
	case KW_ABI_PRESERVE_CONTROL: return parse_numbers(p, &f->abi_preserve_control, 1);
	case KW_EXPLICITCLUSTER: f->is_explicit_cluster = true; break;
	case KW_BLOCKSARECLUSTERS: f->blocks_are_clusters = true; break;
	default:
		if (f->n_returns)
			ptx_parse_error(p, p->tok.at, ".noreturn contradicts the function's results");
		f->is_noreturn = true;
		break;
	}
	ptx_parse_advance(p);
	return true;
}

static void check_conflicts(struct ptx_parser *p, const struct ptx_function *f)
{
	if (f->maxntid[0] && f->reqntid[0])
		ptx_parse_error(p, f->at, ".maxntid and .reqntid exclude each other");
	if (f->maxclusterrank && f->reqnctapercluster[0])
		ptx_parse_error(p, f->at, ".maxclusterrank and .reqnctapercluster exclude each other");
	if (f->blocks_are_clusters && (!f->reqntid[0] || !f->reqnctapercluster[0]))
		ptx_parse_error(p, f->at, ".blocksareclusters needs .reqntid and .reqnctapercluster");
	const uint32_t *c = f->reqnctapercluster;
	if (c[0] > 1 || c[1] > 1 || c[2] > 1)
		ptx_diag(p->m, DIAG_WARNING, f->at, "clusters are not supported yet: each block of this kernel is a cluster of its own");
}

bool ptx_parse_directives(struct ptx_parser *p, struct ptx_function *f)
{
	while (p->tok.kind == PTX_TOK_DIRECTIVE) {
		enum ptx_keyword k = ptx_parse_keyword(p, &p->tok);

		if (k == KW_PRAGMA) {
			if (!ptx_parse_pragma(p, false))
				return false;
			continue;
		}
		if (!check_rule(p, f, k) || !parse_directive(p, f, k))
			return false;
	}
	check_conflicts(p, f);
	return true;
}
