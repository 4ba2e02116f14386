/* The memory of a DRAM standard that all partitions share, and each partition's port to it. Its own mapping says which channel an address is in, so a
 * partition is no channel. Source: the Mondrian simulator's coupling of Ramulator with GPGPU-Sim 3.2.2. */
#include "timing/common/valid.h"
#include "timing/partition/partition_internal.h"

#define RETURN_QUEUE_DEFAULT 1024u

const char *const partition_port_names[PORT_LISTS] = {"waiting", "being read", "done", "to the L2"};

struct sdram *partitions_memory(const struct partitions *p) { return p->memory; }

/* ---- lists ---- */

/* Moves the first request of a list to another. */
static void move_first(struct partition *p, enum partition_port_list from, enum partition_port_list to)
{
	request_list_push(p->all->q, &p->port->list[to], request_list_pop(p->all->q, &p->port->list[from]));
}

/* Removes the first read of an address. Returns 0 if there is none. */
static uint32_t take_read(struct partition *p, uint64_t address)
{
	struct request_list *l = &p->port->list[PORT_READING];
	struct requests *q = p->all->q;
	uint32_t before = 0, r = l->n ? l->head : 0;
	for (; r && request_at(q, r)->address != address; r = request_at(q, r)->next)
		before = r;
	if (!r)
		return 0;
	if (before)
		request_at(q, before)->next = request_at(q, r)->next;
	else
		l->head = request_at(q, r)->next;
	if (l->tail == r)
		l->tail = before;
	l->n--;
	return r;
}

/* A read has its data: the first request for that address is answered, as in the reference. `tag` is the partition. */
static void read_is_done(void *self, int64_t cycle, const struct sdram_request *m)
{
	struct partitions *all = self;
	(void)cycle;
	if (m->type == SDRAM_WRITE)
		return;
	struct partition *p = &all->partition[m->tag];
	const uint32_t r = take_read(p, m->address);
	assert(r && "a read without a request");
	request_at(all->q, r)->is_reply = true;
	request_set_status(all->q, r, REQUEST_IN_PARTITION_MC_RETURNQ, all->memory_now);
	request_list_push(all->q, &p->port->list[PORT_DONE], r);
}

bool partitions_create_memory(struct partitions *p, struct timing_memory *m)
{
	const struct sdram_observer o = {.self = p, .on_done = read_is_done};
	p->memory = sdram_create(m, &p->cfg->memory);
	if (!p->memory)
		return false;
	sdram_observe(p->memory, &o);
	for (uint32_t k = 0; k < p->cfg->n_partitions; k++)
		if (!(p->partition[k].port = timing_take(m, 1, sizeof *p->partition[k].port)))
			return false;
	return true;
}

/* ---- a cycle ---- */

static bool takes_more(const struct partition *p)
{
	const uint32_t most = p->all->cfg->dram.queue_size;
	return !most || p->port->pending < most;
}

/* Offers requests to the memory until it refuses one. A write is done once it is taken. */
static void offer(struct partition *p, uint32_t partition, uint64_t now)
{
	struct partition_port *port = p->port;
	while (takes_more(p) && port->list[PORT_WAITING].n) {
		const uint32_t r = port->list[PORT_WAITING].head;
		struct mem_request *m = request_at(p->all->q, r);
		if (!sdram_offer(p->all->memory, m->address, m->is_write, partition))
			return;
		port->pending++;
		partition_note_dram(p, r);
		m->is_reply = m->is_write;
		request_set_status(p->all->q, r, m->is_write ? REQUEST_IN_PARTITION_MC_RETURNQ : REQUEST_IN_PARTITION_DRAM, now);
		move_first(p, PORT_WAITING, m->is_write ? PORT_DONE : PORT_READING);
	}
}

static void port_cycle(struct partition *p, uint32_t partition, uint64_t now)
{
	struct partition_port *port = p->port;
	struct request_list *list = port->list;
	const uint32_t returns = p->all->cfg->dram.return_queue ? p->all->cfg->dram.return_queue : RETURN_QUEUE_DEFAULT;
	const uint32_t first = list[PORT_TO_L2].n ? list[PORT_TO_L2].head : 0, after = first ? request_at(p->all->q, first)->next : 0;
	if (first && partition_hand_over(p, first, now)) {
		list[PORT_TO_L2].head = after;
		list[PORT_TO_L2].n--;
	}
	if (list[PORT_DONE].n && list[PORT_TO_L2].n < returns) {
		move_first(p, PORT_DONE, PORT_TO_L2);
		port->pending--;
	}
	offer(p, partition, now);
	if (!takes_more(p))
		return;
	partition_choose_sub(p, now);
	if (p->s->latency.n && now >= request_at(p->all->q, p->s->latency.head)->ready) {
		const uint32_t r = request_list_pop(p->all->q, &p->s->latency);
		request_set_status(p->all->q, r, REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE, now);
		request_list_push(p->all->q, &list[PORT_WAITING], r);
	}
}

void partitions_memory_cycle(struct partitions *p, uint64_t now)
{
	p->memory_now = now;
	sdram_cycle(p->memory);
	for (uint32_t k = 0; k < p->cfg->n_partitions; k++)
		port_cycle(&p->partition[k], k, now);
}

/* ---- for observers ---- */

uint32_t partition_port_at(const struct partitions *p, uint32_t partition, enum partition_port_list list, uint32_t k)
{
	const struct request_list *l = p->partition[partition].port ? &p->partition[partition].port->list[list] : NULL;
	uint32_t r = l && k < l->n ? l->head : 0;
	while (r && k--)
		r = request_at(p->q, r)->next;
	return r;
}

void partition_port_each(const struct partition *p, void (*each)(void *self, uint32_t request), void *self)
{
	for (unsigned k = 0; k < PORT_LISTS; k++) {
		const struct request_list *l = &p->port->list[k];
		uint32_t r = l->head;
		for (uint32_t i = 0; i < l->n; i++, r = request_at(p->all->q, r)->next)
			each(self, r);
	}
}

void partition_port_dump(const struct partition *p, struct text *out)
{
	for (unsigned k = 0; k < PORT_LISTS; k++) {
		const struct request_list *l = &p->port->list[k];
		text_addf(out, "  %-16s %u\n", partition_port_names[k], l->n);
		for (uint32_t r = l->n ? l->head : 0; r; r = request_at(p->all->q, r)->next) {
			text_add(out, "    ");
			request_describe(p->all->q, r, out);
			text_add(out, "  at ");
			sdram_add_place(p->all->memory, request_at(p->all->q, r)->address, out);
			text_addc(out, '\n');
		}
	}
	text_addc(out, '\n');
	sdram_dump(p->all->memory, out);
}

/* ---- a state that may hold anything ---- */

static bool port_is_valid(const struct partition *p, struct timing_valid *v)
{
	static const enum request_place places[PORT_LISTS] = {PLACE_L2, PLACE_L2, PLACE_FILL, PLACE_FILL};
	const struct partition_port *port = p->port;
	for (unsigned k = 0; k < PORT_LISTS; k++)
		if (!timing_claim_list(v, &port->list[k], places[k]))
			return false;
	return port->pending == port->list[PORT_READING].n + port->list[PORT_DONE].n;
}

/* Counts the reads of a partition in the memory, and looks for each one's address among the requests that wait for data. */
struct reads {
	const struct partitions *p;
	uint64_t n;
	bool ok;
};

static void find_read(void *self, const struct sdram_request *m)
{
	struct reads *f = self;
	if (m->type != SDRAM_READ && m->type != SDRAM_EXTENSION)
		return;
	f->n++;
	if (m->tag >= f->p->cfg->n_partitions) {
		f->ok = false;
		return;
	}
	const struct request_list *l = &f->p->partition[m->tag].port->list[PORT_READING];
	uint32_t same = 0, r = l->head;
	for (uint32_t k = 0; k < l->n; k++, r = request_at(f->p->q, r)->next)
		same += request_at(f->p->q, r)->address == m->address;
	f->ok = f->ok && same == sdram_count_reads(f->p->memory, m->address, m->tag);
}

bool partitions_memory_is_valid(const struct partitions *p, struct timing_valid *v)
{
	struct reads f = {p, 0, true};
	uint64_t reading = 0;
	for (uint32_t k = 0; k < p->cfg->n_partitions; k++) {
		if (!port_is_valid(&p->partition[k], v))
			return false;
		reading += p->partition[k].port->list[PORT_READING].n;
	}
	if (!sdram_is_valid(p->memory))
		return false;
	sdram_each_request(p->memory, find_read, &f);
	return f.ok && f.n == reading;
}
