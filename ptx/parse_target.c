/* Versions and architectures: .target's, and what the module's .version has. */
#include <string.h>

#include "ptx/parse.h"

bool ptx_parse_version_at_least(const struct ptx_parser *p, unsigned major, unsigned minor)
{
	return p->m->version_major > major || (p->m->version_major == major && p->m->version_minor >= minor);
}

/* Architectures and the first PTX version that has them; `a` and `f` are the first versions with that suffix, 0: none. */
static const struct {
	uint8_t sm, version, a, f;
} architectures[] = {
	{10, 10, 0, 0},	   {11, 10, 0, 0},    {12, 12, 0, 0},	 {13, 12, 0, 0},    {20, 20, 0, 0},
	{21, 20, 0, 0},	   {30, 30, 0, 0},    {32, 40, 0, 0},	 {35, 31, 0, 0},    {37, 41, 0, 0},
	{50, 40, 0, 0},	   {52, 41, 0, 0},    {53, 42, 0, 0},	 {60, 50, 0, 0},    {61, 50, 0, 0},
	{62, 50, 0, 0},	   {70, 60, 0, 0},    {72, 61, 0, 0},	 {75, 63, 0, 0},    {80, 70, 0, 0},
	{86, 71, 0, 0},	   {87, 74, 0, 0},    {88, 73, 0, 0},	 {89, 78, 0, 0},    {90, 78, 80, 0},
	{100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88}, {110, 90, 90, 90}, {120, 87, 87, 88},
	{121, 88, 88, 88},
};

/* sm_NN with an optional suffix, or compute_NN. Fills the number and the suffix; false if the text has another shape. */
static bool read_architecture(struct ptx_slice s, unsigned *sm, char *suffix)
{
	uint32_t i = s.n > 3 && !memcmp(s.s, "sm_", 3) ? 3 : 8, start = i;

	if (i == 8 && (s.n <= 8 || memcmp(s.s, "compute_", 8)))
		return false;
	for (*sm = 0; i < s.n && i < start + 4 && s.s[i] >= '0' && s.s[i] <= '9'; i++)
		*sm = *sm * 10 + (unsigned)(s.s[i] - '0');
	*suffix = i < s.n ? s.s[i] : '\0';
	return i > start && s.n - i <= 1;
}

bool ptx_parse_architecture(struct ptx_parser *p, struct ptx_slice s)
{
	unsigned sm;
	char suffix;

	if (!read_architecture(s, &sm, &suffix))
		return false;
	for (size_t k = 0; k < sizeof(architectures) / sizeof(*architectures); k++) {
		unsigned since = suffix ? 0 : architectures[k].version;

		if (suffix == 'a')
			since = architectures[k].a;
		else if (suffix == 'f')
			since = architectures[k].f;
		if (architectures[k].sm != sm || !since)
			continue;
		if (!ptx_parse_version_at_least(p, since / 10, since % 10))
			ptx_parse_error(p, p->tok.at, "%s needs .version %u.%u or later", ptx_parse_show(p, s),
					since / 10, since % 10);
		p->m->sm = sm;
		p->m->sm_suffix = suffix;
		return true;
	}
	return false;
}

bool ptx_parse_inner_target(struct ptx_parser *p)
{
	const unsigned sm = p->m->sm;
	const char suffix = p->m->sm_suffix;
	const ptx_offset at = p->tok.at;

	ptx_parse_advance(p);
	bool ok = p->tok.kind == PTX_TOK_NAME && ptx_parse_architecture(p, ptx_parse_slice(p, &p->tok)) &&
		  p->m->sm <= sm && (!p->m->sm_suffix || p->m->sm_suffix == suffix);

	p->m->sm = sm;
	p->m->sm_suffix = suffix;
	if (!ok)
		return ptx_parse_unexpected(p, "an architecture that is not above the file's .target");
	ptx_diag(p->m, DIAG_WARNING, at, ".target has no effect inside a function: ptxas ignores it, and so do we");
	ptx_parse_advance(p);
	return true;
}
