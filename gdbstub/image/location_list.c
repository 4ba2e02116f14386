/* Variables that a compiler keeps in one register after the other: nvcc -G begins a new one with each assignment, and says in location
 * lists which it is where. gdb has the register watched in which a variable is when its user asks for that. Here the others are watched
 * with it; gdb, to whom a change is reported, looks for the variable where it is by then, and goes on if it is as it was. */
#include "base/xalloc.h"
#include "gdbstub/image/room.h"

#define FILE_OF(list) ((list) >> 32)

bool location_list_known(const struct stub *s, uint64_t list)
{
	for (size_t i = 0; i < s->image->n_locations; i++)
		if (FILE_OF(s->image->locations[i].list) == FILE_OF(list))
			return true;
	return false;
}

void location_list_note(struct stub *s, const struct location *m)
{
	s->image->locations = xgrow(s->image->locations, &s->image->cap_locations, s->image->n_locations + 1,
				    sizeof *s->image->locations);
	s->image->locations[s->image->n_locations++] = *m;
}

/* The end of the run of places of the variable whose first one is number `i`. */
static size_t run_end(const struct stub *s, size_t i)
{
	size_t end = i + 1;
	while (end < s->image->n_locations && s->image->locations[end].list == s->image->locations[i].list)
		end++;
	return end;
}

static bool has_place_in(const struct stub *s, size_t i, size_t end, uint32_t first, uint32_t at)
{
	for (; i < end; i++)
		if (s->image->locations[i].first == first && s->image->locations[i].at == at)
			return true;
	return false;
}

size_t location_list_others(const struct stub *s, uint32_t first, uint32_t at, uint32_t *out, size_t max)
{
	size_t n = 0, end;
	for (size_t i = 0; i < s->image->n_locations; i = end) {
		end = run_end(s, i);
		if (!has_place_in(s, i, end, first, at))
			continue;
		for (size_t k = i; k < end && n < max; k++) {
			size_t known = 0;
			while (known < n && out[known] != s->image->locations[k].at)
				known++;
			if (known == n && s->image->locations[k].at != at)
				out[n++] = s->image->locations[k].at;
		}
	}
	return n;
}

bool location_list_has_place(const struct stub *s, uint32_t first, uint32_t at, uint32_t pc)
{
	size_t end;
	for (size_t i = 0; i < s->image->n_locations; i = end) {
		end = run_end(s, i);
		if (!has_place_in(s, i, end, first, at))
			continue;
		for (size_t k = i; k < end; k++)
			if (pc >= s->image->locations[k].begin && pc < s->image->locations[k].end)
				return true;
	}
	return false;
}
