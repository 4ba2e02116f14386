/* The place of physical memory on the device: its longest accessible mapping, the older of equals, is its home, and the others are aliases of it. A
 * change of the home moves the contents; contents without a place on the device are saved here. */
#include "server/memory/physical.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/channel/ticket.h"

static uint64_t grains(uint64_t bytes) { return bytes / PHYSICAL_GRAIN; }

struct physical *physical_create(uint64_t bytes, const struct wire_physical *properties)
{
	struct physical *p = xcalloc(1, sizeof *p);
	*p = (struct physical){
		.bytes = bytes, .properties = *properties, .saved = xcalloc(grains(bytes), sizeof *p->saved)};
	return p;
}

void physical_free(struct physical *p)
{
	for (uint64_t k = 0; k < grains(p->bytes); k++)
		free(p->saved[k]);
	free(p->saved);
	free(p);
}

/* ---- telling the device ---- */

static bool send_mapping(struct server *c, struct mapping *m, enum gpu_map how, uint64_t real)
{
	const struct gpu_input in = {
		.kind = GPU_INPUT_MAP, .map = {m->address, m->bytes, how, real}};
	if (m->how == how && m->real == real)
		return true;
	if (!session_input(c->session, &in, NULL))
		return false;
	m->how = how;
	m->real = real;
	return true;
}

static bool update_mapping(struct server *c, struct mapping *m)
{
	const struct mapping *home = m->of->home;
	const bool reads = m->access == WIRE_ACCESS_READ;
	if (!m->access)
		return send_mapping(c, m, GPU_MAP_EMPTY, 0);
	if (m == home)
		return send_mapping(c, m, reads ? GPU_MAP_READ : GPU_MAP_ON, 0);
	if ((m->how == GPU_MAP_ON || m->how == GPU_MAP_READ) && !send_mapping(c, m, GPU_MAP_EMPTY, 0))
		return false;
	return send_mapping(c, m, reads ? GPU_MAP_ALIAS_READ : GPU_MAP_ALIAS, home->address);
}

/* ---- moving ---- */

/* Writes PHYSICAL_GRAIN bytes to the device as an input of the call, if there is one. `from` is the device address of `data`, or 0. */
static void write_grain(struct server *c, const struct server_call *by, uint64_t address, const void *data, uint64_t from)
{
	const struct gpu_input in = {.kind = GPU_INPUT_WRITE,
				     .copy = {.address = address,
					      .n = PHYSICAL_GRAIN,
					      .data = data,
					      .from = from,
					      .caller = by ? server_called_from(by) : 0,
					      .context = by ? by->client->context : 0}};
	session_input(c->session, &in, NULL);
}

/* Writes saved contents to the new home. */
static void restore_saved(struct server *c, const struct server_call *by, const struct mapping *home)
{
	for (uint64_t k = 0; k < grains(home->bytes); k++) {
		char **saved = &home->of->saved[k];
		if (*saved)
			write_grain(c, by, home->address + k * PHYSICAL_GRAIN, *saved, 0);
		free(*saved);
		*saved = NULL;
	}
}

/* Moves the contents of the former home to the new one, or saves them if there is none and the memory is still wanted. */
static void move_or_save(struct server *c, const struct server_call *by, const struct mapping *before)
{
	const struct exec *e = gpu_exec(c->gpu);
	const struct physical *p = before->of;
	const bool is_wanted = physical_is_wanted(c, p);
	for (uint64_t k = 0; k < grains(before->bytes); k++) {
		const uint64_t offset = k * PHYSICAL_GRAIN, at = before->address + offset;
		if (!arena_written(gpu_arena(c->gpu), e->sec_global, at, PHYSICAL_GRAIN))
			continue;
		if (p->home && offset < p->home->bytes) {
			write_grain(c, by, p->home->address + offset, e->global + at, at);
		} else if (is_wanted) {
			p->saved[k] = xmalloc(PHYSICAL_GRAIN);
			memcpy(p->saved[k], e->global + at, PHYSICAL_GRAIN);
		}
	}
}

static struct mapping *best_home(const struct physical *p)
{
	struct mapping *best = p->home && p->home->access ? p->home : NULL;
	for (struct mapping *m = p->mappings; m; m = m->next)
		if (m->access && (!best || m->bytes > best->bytes))
			best = m;
	return best;
}

/* Chooses the home and updates all mappings on the device. Returns false if the device has no space. */
static bool update_mappings(struct server *c, const struct server_call *by, struct physical *p)
{
	struct mapping *const before = p->home, *const home = best_home(p);
	bool ok = true;
	p->home = home;
	if (home && !update_mapping(c, home)) {
		p->home = before;
		return false;
	}
	if (before && home != before)
		move_or_save(c, by, before);
	if (home && home != before)
		restore_saved(c, by, home);
	for (struct mapping *m = p->mappings; m; m = m->next)
		ok = update_mapping(c, m) && ok;
	return ok;
}

bool physical_set_access(const struct server_call *by, struct mapping *m, uint64_t access)
{
	const uint64_t before = m->access;
	if (access == before)
		return true;
	m->access = access;
	if (update_mappings(by->server, by, m->of))
		return true;
	m->access = before;
	update_mappings(by->server, by, m->of);
	return false;
}

bool physical_would_move(const struct mapping *m, uint64_t access)
{
	const struct mapping *home = m->of->home;
	return home && (m == home ? !access : access && m->bytes > home->bytes);
}

bool physical_is_wanted(struct server *c, const struct physical *p)
{
	return p->references || p->mappings || (p->was_exported && ticket_is_held(c, WIRE_EXPORT_PHYSICAL, p->number));
}

bool physical_is_mapped_by_others(const struct physical *p, uint32_t context)
{
	const struct mapping *m = p->mappings;
	while (m && m->context == context)
		m = m->next;
	return m;
}

/* ---- mappings ---- */

void physical_add(struct physical *p, struct mapping *m)
{
	m->of = p;
	m->how = GPU_MAP_EMPTY;
	m->next = p->mappings;
	p->mappings = m;
}

void physical_remove(struct server *c, struct mapping *m)
{
	struct mapping **at = &m->of->mappings;
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	m->access = WIRE_ACCESS_NONE;
	update_mappings(c, NULL, m->of);
	send_mapping(c, m, GPU_MAP_EMPTY, 0);
}
