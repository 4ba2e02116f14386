/* An access as a picture: each lane's address, the segments or banks it meets, and how many transactions or cycles it takes on the simulated
 * machine, by the performance model's own rules (timing/ldst/coalesce.h). */
#include "command/perf/access_picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug/describe.h"
#include "command/perf/access.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "gpu/config/config_timing.h"
#include "timing/ldst/coalesce.h"
#include "timing/ldst/ldst.h"

#define ROWS_MAX 32u  /* transactions shown */
#define BANKS_MAX 64u /* in a line */
#define ADDRESSES_IN_ROW 4u

/* ---- the machine ---- */

/* A machine of the configuration for functional mode, which has none: as much of it as coalesce_look looks at. */
struct stand_in {
	struct timing_config cfg;
	struct timing_program program;
	struct core core;
	struct core_state state;
	struct core_warp warp;
};

static void stand_in_free(struct stand_in *s)
{
	icnt_config_free(s->cfg.icnt);
	timing_program_free(&s->program);
	free(s);
}

static bool stand_in_look(struct debug *d, const struct debug_where *w, const struct access_seen *a,
			  struct coalesce_look *out, struct core_config *cfg)
{
	struct stand_in *s = aligned_alloc(_Alignof(struct stand_in), sizeof *s); /* a warp is aligned to the host's cache lines */
	struct diag_list diags;
	if (s)
		memset(s, 0, sizeof *s);
	diag_list_init(&diags);
	const bool ok = s && gpu_config(d->g) && config_timing(gpu_config(d->g), &s->cfg, &diags);
	diag_list_free(&diags);
	if (ok) {
		timing_program_update(&s->program, debug_program(d), &s->cfg.core);
		s->state.max_ctas = 1;
		s->state.cta[0].n_warps = w->cta->n_warps;
		s->core = (struct core){.s = &s->state, .cfg = &s->cfg.core, .program = &s->program, .warp = &s->warp};
		coalesce_look(&s->core, 0, a->pc, &a->a, out);
		*cfg = s->cfg.core;
	}
	if (s)
		stand_in_free(s);
	return ok;
}

static bool look(struct debug *d, const struct debug_where *w, const struct access_seen *a, struct coalesce_look *out,
		 struct core_config *cfg)
{
	struct timing *t = gpu_timing(d->g);
	if (!t)
		return stand_in_look(d, w, a, out, cfg);
	*cfg = t->cfg->core;
	coalesce_look(&t->core[w->core], w->warp, a->pc, &a->a, out);
	return true;
}

/* ---- addresses ---- */

/* Are lanes the same distance apart, by their numbers? */
static bool has_step(const struct access_seen *a, int64_t *step)
{
	const unsigned first = lanes_first(a->a.lanes);
	bool found = false;
	*step = 0;
	LANES_EACH (l, a->a.lanes & ~lanes_bit(first)) {
		const int64_t far = (int64_t)(a->a.address[l] - a->a.address[first]), n = (int64_t)(l - first);
		if (!found && far % n)
			return false;
		*step = found ? *step : far / n;
		found = true;
		if (far != *step * n)
			return false;
	}
	return true;
}

static void address_rows(const struct access_seen *a, uint64_t window, struct text *out)
{
	const unsigned in_row = a->warp_threads < ADDRESSES_IN_ROW ? a->warp_threads : ADDRESSES_IN_ROW;
	for (unsigned l = 0; l < a->warp_threads; l += in_row) {
		text_addf(out, "  lanes %2u-%-2u ", l, l + in_row - 1);
		for (unsigned k = l; k < l + in_row; k++)
			if (a->a.lanes & lanes_bit(k))
				text_addf(out, " 0x%-10" PRIx64, a->a.address[k] - window);
			else
				text_addf(out, " %-12s", "-");
		while (out->s[out->n - 1] == ' ')
			out->s[--out->n] = '\0';
		text_addc(out, '\n');
	}
}

static void addresses(const struct access_seen *a, uint64_t window, struct text *out)
{
	const unsigned first = lanes_first(a->a.lanes);
	int64_t step;
	if (!has_step(a, &step)) {
		address_rows(a, window, out);
		return;
	}
	text_addf(out, "  lane %u at 0x%" PRIx64, first, a->a.address[first] - window);
	if (a->a.lanes == lanes_bit(first))
		text_addc(out, '\n');
	else if (step)
		text_addf(out, ", each further lane %+" PRId64 " bytes\n", step);
	else
		text_add(out, ", all lanes the same\n");
}

/* ---- transactions ---- */

static int by_address(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Bytes that some lane wants. */
static uint64_t wanted_bytes(const struct access_seen *a)
{
	uint64_t at[LANES], end = 0, bytes = 0;
	size_t n = 0;
	LANES_EACH (l, a->a.lanes)
		at[n++] = a->a.address[l];
	qsort(at, n, sizeof *at, by_address);
	for (size_t k = 0; k < n; k++) {
		const uint64_t from = at[k] > end ? at[k] : end;
		if (at[k] + a->a.size <= end)
			continue;
		bytes += at[k] + a->a.size - from;
		end = at[k] + a->a.size;
	}
	return bytes;
}

#define LANE_GROUP 8u /* lanes of a picture that stand together */
#define LANE_COLUMNS 6u /* of a picture at least: "lane 0" */

/* Appends the numbers of the first lanes of groups, as far as the picture goes if something follows. */
static void lane_heading(const struct access_seen *a, bool is_padded, struct text *out)
{
	text_addf(out, a->warp_threads > LANE_GROUP || is_padded ? "%-*s" : "%.*s", (int)LANE_COLUMNS, "lane 0");
	for (unsigned l = LANE_GROUP; l < a->warp_threads; l += LANE_GROUP)
		text_addf(out, "%*s%-*u", l == LANE_GROUP ? 3 : 0, "", l + LANE_GROUP < a->warp_threads ? 9 : is_padded ? 8 : 1, l);
	if (is_padded && a->warp_threads == LANE_GROUP)
		text_add(out, "  ");
}

static void lane_picture(uint32_t in, const struct access_seen *a, struct text *out)
{
	const uint32_t all = a->a.lanes;
	for (unsigned l = 0; l < a->warp_threads; l++) {
		if (l && l % LANE_GROUP == 0)
			text_addc(out, ' ');
		text_addc(out, in & lanes_bit(l) ? '#' : all & lanes_bit(l) ? '.' : '-');
	}
	for (unsigned l = a->warp_threads; l < LANE_COLUMNS; l++)
		text_addc(out, ' ');
}

/* ---- the cache that transactions meet ---- */

/* The L1 that an access looks into; `cache` is NULL if it passes all by. */
struct l1 {
	const char *name;
	const struct cache *cache;
	uint8_t fate[COALESCE_MAX]; /* of each transaction: enum fate */
	uint64_t request[COALESCE_MAX]; /* MISS, MERGED: uid */
};

/* Returns the L1 of an access in performance mode; `name` is NULL in functional mode. */
static struct l1 l1_of(struct debug *d, const struct debug_where *w, const struct access_seen *a, unsigned space)
{
	struct timing *t = gpu_timing(d->g);
	if (!t || space == ISA_SPACE_SHARED)
		return (struct l1){0};
	const struct core *c = &t->core[w->core];
	if (space == ISA_SPACE_CONST || space == ISA_SPACE_PARAM)
		return (struct l1){.name = "L1C", .cache = ldst_l1c(c)};
	if (space == TIMING_SPACE_TEXTURE)
		return (struct l1){.name = "L1T", .cache = ldst_l1t(c)};
	const bool passes = ldst_bypasses_l1d(c, &c->program->insns[a->pc], (enum isa_space)space);
	return (struct l1){.name = "L1D", .cache = passes ? NULL : ldst_l1d(c)};
}

/* What became of a transaction. */
enum fate { FATE_UNKNOWN, FATE_AHEAD /* no L1 has taken it yet */, FATE_HIT, FATE_MISS, FATE_MERGED };

/* Returns the result of the transaction at an address among the latest n of an instruction, which it takes out of `found`: the numbers of those taken out. */
static bool find_taken(const struct core *c, const struct debug_where *w, uint32_t pc, uint32_t n, uint64_t address, uint8_t found[COALESCE_MAX],
		       struct ldst_taken *out)
{
	for (uint32_t k = n; k-- > 0;)
		if (!found[k] && ldst_get_taken(c, w->warp, pc, k, out) && out->address == address) {
			found[k] = true;
			return true;
		}
	return false;
}

/* Stores what became of the transactions of an access; that of the next access are all ahead. The unit makes the last one first. */
static void find_fates(struct debug *d, const struct debug_where *w, const struct access_seen *a, const struct coalesce_look *k, bool is_next,
		       struct l1 *l1)
{
	static const uint8_t fates[] = {[LDST_HIT] = FATE_HIT, [LDST_MISS] = FATE_MISS, [LDST_MERGED] = FATE_MERGED};
	const struct core *c = l1->cache ? &gpu_timing(d->g)->core[w->core] : NULL;
	const uint32_t ahead = !c || is_next ? k->n : ldst_untaken(c, w->warp, a->pc);
	const uint32_t n_taken = ahead < k->n ? k->n - ahead : 0;
	uint8_t found[COALESCE_MAX] = {0};
	struct ldst_taken taken;
	for (uint32_t i = k->n; i-- > 0;) {
		const bool is_taken = find_taken(c, w, a->pc, n_taken, k->t[i].address, found, &taken) && taken.result <= LDST_MERGED;
		l1->fate[i] = is_taken ? fates[taken.result] : i < ahead ? FATE_AHEAD : FATE_UNKNOWN;
		l1->request[i] = is_taken && taken.result != LDST_HIT ? taken.request : 0;
	}
}

/* Returns whether a transaction of the access that is made before transaction i is for the same line. */
static bool line_comes_before(const struct coalesce_look *k, uint32_t i, const struct cache *c)
{
	const uint64_t line = cache_get_config(c)->line;
	for (uint32_t j = i + 1; j < k->n; j++)
		if (k->t[j].address / line == k->t[i].address / line)
			return true;
	return false;
}

/* Appends what a transaction would be now. */
static void now_column(struct debug *d, const struct l1 *l1, const struct coalesce_look *k, uint32_t i, struct text *out)
{
	uint32_t request;
	const enum cache_place place = cache_place_of(l1->cache, k->t[i].address, &request);
	if (place == CACHE_ABSENT && line_comes_before(k, i, l1->cache)) {
		text_add(out, "merges with the one below");
		return;
	}
	text_add(out, place == CACHE_THERE ? "hit" : place == CACHE_COMING ? "merges" : "miss");
	if (request)
		text_addf(out, " with request %" PRIu64, request_at(&gpu_timing(d->g)->requests, request)->uid);
}

static void cache_column(struct debug *d, const struct l1 *l1, const struct coalesce_look *k, uint32_t i, bool is_next, struct text *out)
{
	uint32_t request;
	text_add(out, "  ");
	switch ((enum fate)l1->fate[i]) {
	case FATE_AHEAD:
		text_add(out, is_next ? "" : "not made yet, now: ");
		now_column(d, l1, k, i, out);
		return;
	case FATE_HIT: text_add(out, "hit"); return;
	case FATE_MISS: text_addf(out, "miss: request %" PRIu64, l1->request[i]); return;
	case FATE_MERGED: text_addf(out, "merged with request %" PRIu64, l1->request[i]); return;
	case FATE_UNKNOWN: break;
	}
	text_add(out, cache_place_of(l1->cache, k->t[i].address, &request) == CACHE_THERE ? "made; its line is there" : "made; its line is not there");
}

static void transactions(struct debug *d, const struct access_seen *a, const struct coalesce_look *k, const struct l1 *l1, bool is_next,
			 struct text *out)
{
	uint64_t bytes = 0;
	const uint64_t wanted =
		k->space == ISA_SPACE_LOCAL ? (uint64_t)lanes_count(a->a.lanes) * a->a.size : wanted_bytes(a);
	text_addf(out, "  %-12s bytes  ", k->space == ISA_SPACE_CONST || k->space == ISA_SPACE_PARAM || a->a.rows.texel_bytes ? "line" : "segment");
	lane_heading(a, l1->cache != NULL, out);
	if (l1->cache)
		text_addf(out, "  %s%s", l1->name, is_next ? " now" : "");
	text_addc(out, '\n');
	for (uint32_t i = 0; i < k->n; i++) {
		bytes += k->t[i].size;
		if (i >= ROWS_MAX)
			continue;
		text_addf(out, "  0x%-10" PRIx64 " %5u  ", k->t[i].address, k->t[i].size);
		lane_picture(k->t[i].lanes, a, out);
		if (l1->cache)
			cache_column(d, l1, k, i, is_next, out);
		text_addc(out, '\n');
	}
	if (k->n > ROWS_MAX)
		text_addf(out, "  ... %u more\n", k->n - ROWS_MAX);
	text_addf(out, "%u transaction%s, %" PRIu64 " bytes", k->n, k->n == 1 ? "" : "s", bytes);
	if (wanted <= bytes) /* (what a misaligned access would get is not said) */
		text_addf(out, "; lanes want %" PRIu64 " of them (%" PRIu64 "%%)", wanted, 100 * wanted / bytes);
	text_addc(out, '\n');
	if (l1->name && !l1->cache)
		text_addf(out, "past the %s, to the L2\n", l1->name);
}

/* ---- banks ---- */

static char digit(uint32_t n) { return (char)(n < 10 ? '0' + n : n < 36 ? 'a' + (n - 10) : '+'); }

#define WORD_BYTES 4u
#define WORDS_MAX (LANES * 8u) /* the widest access of a lane has 32 bytes */

/* The different words of shared memory that some lanes access. */
struct words {
	uint32_t word[WORDS_MAX], n;
};

static void add_word(struct words *w, uint32_t word)
{
	uint32_t i = 0;
	while (i < w->n && w->word[i] != word)
		i++;
	if (i == w->n && w->n < WORDS_MAX)
		w->word[w->n++] = word;
}

/* Collects every word of the lanes' accesses: an access of 8 bytes has two, one of a byte lies in one. */
static void find_words(const struct coalesce_look *k, uint32_t lanes, uint32_t size, struct words *w)
{
	w->n = 0;
	LANES_EACH (l, lanes)
		for (uint64_t word = k->address[l] / WORD_BYTES; word * WORD_BYTES < k->address[l] + size; word++)
			add_word(w, (uint32_t)word);
}

static uint32_t words_of_bank(const struct words *w, uint32_t bank, uint32_t banks)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < w->n; i++)
		n += w->word[i] % banks == bank;
	return n;
}

/* Returns the number of words of the bank that has the most. */
static uint32_t most_words(const struct words *w, uint32_t banks)
{
	uint32_t most = 0;
	for (uint32_t bank = 0; bank < banks; bank++) {
		const uint32_t n = words_of_bank(w, bank, banks);
		most = n > most ? n : most;
	}
	return most;
}

static void bank_picture(const struct words *w, uint32_t banks, struct text *out)
{
	for (uint32_t first = 0; first < banks; first += BANKS_MAX) {
		const uint32_t end = first + BANKS_MAX < banks ? first + BANKS_MAX : banks;
		text_addf(out, "  words of banks %u-%u  ", first, end - 1);
		for (uint32_t b = first; b < end; b++) {
			const uint32_t n = words_of_bank(w, b, banks);
			if (b > first && (b - first) % 8 == 0)
				text_addc(out, ' ');
			text_addc(out, n ? digit(n) : '.');
		}
		text_addc(out, '\n');
	}
}

static void lanes_banks(const struct access_seen *a, const struct coalesce_look *k, uint32_t banks, struct text *out)
{
	const unsigned in_row = a->warp_threads < LANES ? a->warp_threads : LANES / 2;
	for (unsigned first = 0; first < a->warp_threads; first += in_row) {
		text_add(out, "  lane ");
		for (unsigned l = first; l < first + in_row; l++)
			text_addf(out, "%4u", l);
		text_add(out, "\n  bank ");
		for (unsigned l = first; l < first + in_row; l++)
			if (a->a.lanes & lanes_bit(l))
				text_addf(out, "%4u", (uint32_t)k->address[l] / WORD_BYTES % banks);
			else
				text_add(out, "   -");
		text_addc(out, '\n');
	}
	if (a->a.size > WORD_BYTES)
		text_addf(out, "  (the bank of a lane's first word; each lane has %u words)\n", a->a.size / WORD_BYTES);
}

/* How the parts of a warp pass the banks. */
struct passes {
	uint32_t least;	   /* cycles if each bank had as many words as the others */
	uint32_t of_banks; /* cycles by the words of the fullest bank */
	uint32_t words;
	uint32_t degree; /* of the conflict in the worst part; 1: none */
};

static void add_part(const struct words *w, uint32_t cycles, uint32_t banks, struct passes *p)
{
	const uint32_t least = (w->n + banks - 1) / banks, degree = (cycles + least - 1) / least;
	p->least += least;
	p->of_banks += most_words(w, banks);
	p->words += w->n;
	p->degree = degree > p->degree ? degree : p->degree;
}

static void bank_sum(const struct coalesce_look *k, const struct core_config *cfg, const struct passes *p,
		     struct text *out)
{
	if (cfg->shared_limited_broadcast)
		text_add(out, "  (this machine gives one word at a time to several lanes; other lanes come one by one)\n");
	if (p->degree > 1)
		text_addf(out, "%u-way bank conflict: ", p->degree);
	else
		text_add(out, "no bank conflict: ");
	text_addf(out, "%u cycle%s", k->cycles, k->cycles == 1 ? "" : "s");
	if (k->cycles > p->least)
		text_addf(out, " where %u would do", p->least);
	else if (k->cycles < p->of_banks)
		text_addf(out, " in the performance model, which counts a lane's first word only; the banks would take %u",
			  p->of_banks);
	else if (p->words > cfg->shared_banks)
		text_addf(out, " for %u words in %u banks", p->words, cfg->shared_banks);
	text_addc(out, '\n');
}

/* Appends the banks of each part of the warp, which access them one after the other; adds up their passes. */
static void banks(const struct access_seen *a, const struct coalesce_look *k, const struct core_config *cfg,
		  struct passes *sum, struct text *out)
{
	const uint32_t width = coalesce_width(cfg, cfg->warp_parts);
	lanes_banks(a, k, cfg->shared_banks, out);
	for (uint32_t part = 0; part < cfg->warp_parts; part++) {
		const uint32_t lanes = a->a.lanes & (uint32_t)(((UINT64_C(1) << width) - 1) << part * width);
		struct words w;
		if (!lanes)
			continue;
		const uint32_t cycles = shared_access_cycles(cfg, k->address, lanes);
		if (cfg->warp_parts > 1)
			text_addf(out, "  lanes %u-%u: %u cycle%s\n", part * width, (part + 1) * width - 1, cycles,
				  cycles == 1 ? "" : "s");
		find_words(k, lanes, a->a.size, &w);
		bank_picture(&w, cfg->shared_banks, out);
		add_part(&w, cycles, cfg->shared_banks, sum);
	}
	bank_sum(k, cfg, sum, out);
}

/* ---- all ---- */

/* For the caches module variables are where GPGPU-Sim has them. */
static bool is_moved(const struct access_seen *a, const struct coalesce_look *k)
{
	bool moved = false;
	LANES_EACH (l, a->a.lanes)
		moved |= k->address[l] != a->a.address[l] - access_window(k->space);
	return moved;
}

static void heading(struct debug *d, const struct debug_where *w, const struct access_seen *a, bool is_next,
		    struct text *out)
{
	struct text insn = {0};
	debug_insn_text(d, a->pc, &insn);
	text_addf(out, "%s: %s at ", is_next ? "next" : "last", text_str(&insn));
	text_free(&insn);
	debug_place_text(d, a->pc, out);
	text_addf(out, "\nwarp %u of block (%u,%u,%u): %u lane%s, %u byte%s each", w->warp_index, w->block_id[0],
		  w->block_id[1], w->block_id[2], lanes_count(a->a.lanes), lanes_count(a->a.lanes) == 1 ? "" : "s",
		  a->a.size, a->a.size == 1 ? "" : "s");
}

/* ---- as data ---- */

/* Adds the access: whether it is the `next` or the `last`, its place, warp, lanes, and each lane's address. */
static void describe_access(struct debug *d, const struct debug_where *w, const struct access_seen *a, bool is_next, struct report *answer)
{
	report_text(answer, "which", is_next ? "next" : "last");
	describe_place(d, answer, a->pc);
	report_number(answer, "warp", w->warp_index);
	report_triple(answer, "block", w->block_id);
	report_lanes(answer, "lanes", a->a.lanes);
	report_number(answer, "n_lanes", lanes_count(a->a.lanes));
	report_number(answer, "size_bytes", a->a.size);
	report_text(answer, "op", a->a.is_atomic ? "atomic" : a->a.is_write ? "write" : "read");
}

static void describe_addresses(const struct access_seen *a, uint64_t window, struct report *answer)
{
	int64_t step;
	if (has_step(a, &step))
		report_signed(answer, "step_bytes", step);
	report_list(answer, "addresses");
	LANES_EACH (l, a->a.lanes) {
		report_open(answer, NULL);
		report_number(answer, "lane", l);
		report_hex(answer, "address", a->a.address[l] - window);
		report_close(answer);
	}
	report_close(answer);
}

static void describe_transactions(struct debug *d, const struct access_seen *a, const struct coalesce_look *k, const struct l1 *l1, struct report *answer)
{
	static const char *const places[] = {[CACHE_ABSENT] = "miss", [CACHE_COMING] = "merged", [CACHE_THERE] = "hit"};
	static const char *const results[] = {[FATE_HIT] = "hit", [FATE_MISS] = "miss", [FATE_MERGED] = "merged"};
	uint64_t bytes = 0;
	uint32_t request;
	if (l1->name)
		report_text(answer, "cache", l1->cache ? l1->name : "L2");
	report_list(answer, "transactions");
	for (uint32_t i = 0; i < k->n; i++) {
		bytes += k->t[i].size;
		report_open(answer, NULL);
		report_hex(answer, "address", k->t[i].address);
		report_number(answer, "size_bytes", k->t[i].size);
		report_lanes(answer, "lanes", k->t[i].lanes);
		if (l1->cache)
			report_text(answer, "now", places[cache_place_of(l1->cache, k->t[i].address, &request)]);
		if (l1->cache && l1->fate[i] >= FATE_HIT)
			report_text(answer, "result", results[l1->fate[i]]);
		if (l1->cache && l1->request[i])
			report_number(answer, "request", l1->request[i]);
		else if (l1->cache && request)
			report_number(answer, "request", request_at(&gpu_timing(d->g)->requests, request)->uid);
		report_close(answer);
	}
	report_close(answer);
	report_number(answer, "bytes", bytes);
	report_number(answer, "wanted_bytes", k->space == ISA_SPACE_LOCAL ? (uint64_t)lanes_count(a->a.lanes) * a->a.size : wanted_bytes(a));
}

static void describe_banks(const struct access_seen *a, const struct coalesce_look *k, const struct core_config *cfg, const struct passes *p,
			   struct report *answer)
{
	report_list(answer, "banks");
	LANES_EACH (l, a->a.lanes) {
		report_open(answer, NULL);
		report_number(answer, "lane", l);
		report_number(answer, "bank", (uint32_t)k->address[l] / WORD_BYTES % cfg->shared_banks);
		report_close(answer);
	}
	report_close(answer);
	report_number(answer, "n_banks", cfg->shared_banks);
	report_number(answer, "words", p->words);
	report_number(answer, "cycles", k->cycles);
	report_number(answer, "least_cycles", p->least);
	report_number(answer, "bank_cycles", p->of_banks);
	report_number(answer, "conflict", p->degree);
}

bool access_picture(struct debug *d, const struct debug_where *w, const struct access_seen *a, bool is_next,
		    struct report *answer, struct text *why)
{
	struct coalesce_look k;
	struct core_config cfg;
	struct text out = {0};
	const bool is_known = !a->a.lanes || look(d, w, a, &k, &cfg);
	if (!is_known)
		return debug_fail(why, "there is no timing model of this configuration: `-m performance` says why");
	describe_access(d, w, a, is_next, answer);
	heading(d, w, a, is_next, &out);
	if (!a->a.lanes) {
		report_say(answer, "%s\nno lane executes it: the guard is false in all\n", text_str(&out));
		text_free(&out);
		return true;
	}
	report_text(answer, "space", debug_space_name(k.space));
	describe_addresses(a, access_window(k.space), answer);
	text_addf(&out, " %s %s memory\n",
		  a->a.is_atomic  ? "in an atomic on"
		  : a->a.is_write ? "to"
				  : "from",
		  debug_space_name(k.space));
	addresses(a, access_window(k.space), &out);
	if (k.space == ISA_SPACE_SHARED) {
		struct passes sum = {0};
		banks(a, &k, &cfg, &sum, &out);
		describe_banks(a, &k, &cfg, &sum, answer);
	} else {
		if (is_moved(a, &k))
			text_add(&out, "  (for caches and memory a module's variables are where GPGPU-Sim puts them)\n");
		if (k.space == ISA_SPACE_LOCAL)
			text_add(&out, "  (for caches and memory local memory lies word by word of all threads)\n");
		struct l1 l1 = l1_of(d, w, a, k.space);
		find_fates(d, w, a, &k, is_next, &l1);
		transactions(d, a, &k, &l1, is_next, &out);
		describe_transactions(d, a, &k, &l1, answer);
	}
	report_say(answer, "%s", text_str(&out));
	text_free(&out);
	return true;
}

void access_transactions(struct debug *d, const struct debug_where *w, const struct access_seen *a, bool is_next, struct report *answer)
{
	struct coalesce_look k;
	struct core_config cfg;
	struct text out = {0};
	if (!look(d, w, a, &k, &cfg))
		return;
	struct l1 l1 = l1_of(d, w, a, a->a.rows.texel_bytes ? TIMING_SPACE_TEXTURE : k.space);
	find_fates(d, w, a, &k, is_next, &l1);
	transactions(d, a, &k, &l1, is_next, &out);
	describe_transactions(d, a, &k, &l1, answer);
	report_say(answer, "%s", text_str(&out));
	text_free(&out);
}
