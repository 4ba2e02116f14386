/* What the page of `report` may weigh: parts without a natural limit show the costliest members that fit, and the page says how many there are. */
#include "command/picture/page.h"

static size_t weight(const struct report *r)
{
	struct text json = {0};
	report_json(r, true, &json);
	const size_t n = json.n;
	text_free(&json);
	return n;
}

/* Returns with how many members to try again, when `n` members weigh too much. */
static uint64_t fewer(uint64_t n, size_t bytes, size_t weight)
{
	const uint64_t fit = n * bytes / weight * 9 / 10;
	return fit ? fit : 1;
}

void page_note(struct page *p, const char *section, const char *what, uint64_t shown, uint64_t all)
{
	if (shown < all && p->n_limits < sizeof p->limit / sizeof *p->limit)
		p->limit[p->n_limits++] = (struct page_limit){.section = section, .what = what, .shown = shown, .all = all};
}

uint64_t page_add(struct page *p, const struct page_part *part)
{
	uint64_t n = part->all < part->most ? part->all : part->most;
	for (;;) {
		struct report *r = report_create();
		part->describe(part->self, n, r);
		const size_t size = weight(r);
		const bool fits = size <= part->bytes || n <= 1;
		if (fits)
			report_copy(p->r, r);
		report_destroy(r);
		if (fits)
			break;
		n = fewer(n, part->bytes, size);
	}
	page_note(p, part->section, part->what, n, part->all);
	return n;
}

void page_keep(struct page *p, struct report *answer, const struct page_list *l)
{
	const size_t all = report_keep(answer, l->list, l->cost, SIZE_MAX);
	size_t n = all;
	for (size_t size = weight(answer); size > l->bytes && n > 1; size = weight(answer))
		n = report_keep(answer, l->list, l->cost, fewer(n, l->bytes, size));
	page_note(p, l->section, l->what, n, all);
}

void page_describe_limits(const struct page *p, struct report *answer)
{
	report_list(answer, "limits");
	for (size_t k = 0; k < p->n_limits; k++) {
		report_open(answer, NULL);
		report_text(answer, "section", p->limit[k].section);
		report_text(answer, "what", p->limit[k].what);
		report_number(answer, "shown", p->limit[k].shown);
		report_number(answer, "all", p->limit[k].all);
		report_close(answer);
	}
	report_close(answer);
}
