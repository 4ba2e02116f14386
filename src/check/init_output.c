/* What goes out of the device, and isn't initialised: what printf prints, what the host reads as a result. */
#include "check/init.h"

/* The first of what a lane's printf reads that isn't initialised. */
struct output {
	struct init *in;
	unsigned lane;
	bool found;
	uint64_t address, n;
};

static void output_reads(void *self, uint64_t address, uint64_t n)
{
	struct output *o = self;
	const uint8_t *p = init_memory_at(o->in, o->in->x, address, o->lane, n, false);
	if (o->found || !p || init_all_defined(p, n) || !init_is_watched(o->in, address))
		return;
	o->found = true;
	o->address = address;
	o->n = n;
}

/* If it is known what was stored there, that is where it came from. */
static void from_stored(struct init *in, uint64_t address, unsigned lane, struct check_finding *f)
{
	const uint32_t from = init_stored_from(in, in->x, address, lane);
	if (from)
		init_origin_fill(in, from, f);
}

bool init_output(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	struct check_finding f = {.kind = CHECK_UNINITIALIZED_MEMORY, .verb = CHECK_USED_OUTPUT, .has_other = true};
	struct output first = {0};
	uint32_t lanes = 0;
	LANES_EACH (l, in->mask) {
		struct output o = {.in = in, .lane = l};
		exec_printf_reads(x, i, l, output_reads, &o);
		first = lanes ? first : o;
		lanes |= o.found ? lanes_bit(l) : 0;
	}
	if (!lanes)
		return false;
	check_thread(x, first.lane, &f.access);
	f.access.op = CHECK_OP_READ;
	f.access.space = (uint8_t)init_space_of(first.address);
	f.access.has_address = true;
	f.access.address = first.address;
	f.access.size = (uint32_t)first.n;
	f.other = f.access;
	if (f.access.space == ISA_SPACE_GLOBAL)
		check_near(in->c, first.address, &f);
	from_stored(in, first.address, first.lane, &f);
	return check_report(in->c, &f, lanes);
}

void init_host_read(void *self, const struct check_access *by, uint64_t n)
{
	struct init *in = self;
	const struct exec *x = in->x;
	const uint64_t address = by->address;
	struct check_finding f = {.kind = CHECK_UNINITIALIZED_MEMORY, .verb = CHECK_USED_RESULT, .access = *by};
	uint64_t k = 0;
	if (!n || address < x->program->global_next || address >= x->limits->device_end ||
	    n > x->limits->device_end - address)
		return;
	const uint8_t *p = arena_at(x->arena, in->sec_global, address);
	if (init_all_defined(p, n))
		return;
	while (p[k] == 0xff)
		k++;
	f.access.address = address + k;
	check_near(in->c, address + k, &f);
	from_stored(in, address + k, 0, &f);
	check_report(in->c, &f, 0);
}
