/* Guards of managed memory: pages are protected while kernels may run, so that the debugger's race checker learns of accesses by host code. One report
 * for each page and launch. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "host/core/channel.h"

#define PAGE UINT64_C(4096)

struct piece {
	uint64_t address, bytes;
	struct piece *next;
};
static struct {
	struct host_lock lock;
	struct piece *pieces;
	atomic_bool is_closed;
} guards;

static void protect(uint64_t address, uint64_t bytes, int protection)
{
	mprotect((void *)(uintptr_t)address, (bytes + PAGE - 1) & ~(PAGE - 1), protection);
}

static struct piece *piece_of(uint64_t address)
{
	struct piece *p = guards.pieces;
	while (p && (address < p->address || address - p->address >= p->bytes))
		p = p->next;
	return p;
}

void host_guards_add(uint64_t address, uint64_t bytes)
{
	struct piece *p = malloc(sizeof *p);
	if (!p)
		return;
	host_lock(&guards.lock);
	const bool is_there = piece_of(address) != NULL;
	if (!is_there) {
		*p = (struct piece){address, bytes, guards.pieces};
		guards.pieces = p;
	}
	host_unlock(&guards.lock);
	if (is_there)
		free(p);
}

void host_guards_remove(uint64_t address)
{
	struct piece **at = &guards.pieces, *found;
	host_lock(&guards.lock);
	while (*at && (*at)->address != address)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	host_unlock(&guards.lock);
	free(found);
}

static void protect_all(int protection)
{
	host_lock(&guards.lock);
	for (const struct piece *p = guards.pieces; p; p = p->next)
		protect(p->address, p->bytes, protection);
	host_unlock(&guards.lock);
}

void host_guards_close(void)
{
	if (!guards.pieces || !channel_wants(WIRE_WANTS_GUARDS) || !host_handles_faults())
		return;
	guards.is_closed = true;
	protect_all(PROT_NONE);
}

void host_guards_open(void)
{
	if (!guards.is_closed)
		return;
	guards.is_closed = false;
	protect_all(PROT_READ | PROT_WRITE);
}

bool host_guards_fault(uint64_t address, uint64_t pc, bool writes)
{
	const struct host_thread *t = host_thread();
	if (!guards.is_closed)
		return false;
	const bool can_report = channel_is_ready() && !channel_is_lost() && !host_sticky() && !t->in_call && !t->holds && !t->connects;
	host_lock(&guards.lock);
	const bool is_guarded = piece_of(address) != NULL;
	host_unlock(&guards.lock);
	if (is_guarded && can_report)
		call_host_access(&(struct call_host_access){.address = address, .pc = pc + 1, .writes = writes}, NULL, 0, NULL);
	if (is_guarded)
		protect(address & ~(PAGE - 1), PAGE, writes ? PROT_READ | PROT_WRITE : PROT_READ);
	return is_guarded;
}
