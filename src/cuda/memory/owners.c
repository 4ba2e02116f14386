/* Which of a program's processes has allocated what: only children are noted, the rest is of the process that was started. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "cuda/memory/room.h"

struct owned {
	uint64_t address;
	pid_t pid;
};

static bool lives(pid_t pid) { return !kill(pid, 0) || errno == EPERM; }

void owners_add(struct cuda *c, uint64_t address, pid_t pid)
{
	struct cuda_memory *m = c->memory;
	if (!c->pid || pid == c->pid)
		return;
	m->owned = xgrow(m->owned, &m->cap_owned, m->n_owned + 1, sizeof *m->owned);
	m->owned[m->n_owned++] = (struct owned){address, pid};
}

static struct owned *find(const struct cuda *c, uint64_t address)
{
	const struct cuda_memory *m = c->memory;
	for (size_t k = m->n_owned; k-- > 0;)
		if (m->owned[k].address == address)
			return &m->owned[k];
	return NULL;
}

void owners_forget(struct cuda *c, uint64_t address)
{
	struct owned *o = find(c, address);
	if (o)
		*o = c->memory->owned[--c->memory->n_owned];
}

static void give_back(struct cuda *c, uint64_t address)
{
	if (!shared_give_back(c, address))
		memory_free(c, address);
}

void memory_reclaim(struct cuda *c)
{
	const struct cuda_memory *m = c->memory;
	for (size_t k = gpu_has_work(c->gpu) ? 0 : m->n_owned; k-- > 0;)
		if (k < m->n_owned && !lives(m->owned[k].pid))
			give_back(c, m->owned[k].address);
}

void memory_free_of(struct cuda *c, pid_t pid)
{
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(c->gpu, &n);
	for (size_t k = 0; k < n; k++) {
		const struct owned *o = find(c, a[k].address);
		if (a[k].live && (o ? o->pid : c->pid) == pid)
			give_back(c, a[k].address);
	}
}
