/* Types as gdb is to print them: names are PTX's; .bN counts as signed, predicates are 0 or 1. */
#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf.h"
#include "gdbstub/image/frame_layout.h"

static unsigned encoding(enum isa_type t)
{
	switch (isa_type_info[t].cls) {
	case ISA_CLASS_SIGNED:
	case ISA_CLASS_BITS: return isa_type_bytes(t) == 16 ? ATE_UNSIGNED : ATE_SIGNED;
	case ISA_CLASS_FLOAT:
		/* formats gdb has: IEEE of 16, 32 and 64 bits, and bfloat16 by name */
		return t == ISA_F16 || t == ISA_BF16 || t == ISA_F32 || t == ISA_TF32 || t == ISA_F64 ? ATE_FLOAT
												      : ATE_UNSIGNED;
	default: return ATE_UNSIGNED;
	}
}

static void base_type(struct dwarf *w, enum isa_type t)
{
	w->types[t] = w->info.n - w->unit;
	put_uleb(&w->info, ABBREV_BASE);
	put_string(&w->info,
		   t == ISA_BF16 ? "__bf16" /* the name by which gdb knows the format */ : isa_type_info[t].name);
	put8(&w->info, t == ISA_PRED ? STUB_PRED_BYTES : isa_type_bytes(t) ? isa_type_bytes(t) : 1);
	put8(&w->info, encoding(t));
}

static void vector_type(struct dwarf *w, enum isa_type t, enum isa_type element)
{
	w->types[t] = w->info.n - w->unit;
	put_uleb(&w->info, ABBREV_VECTOR);
	put32(&w->info, w->types[element]);
	put_uleb(&w->info, ABBREV_RANGE);
	put32(&w->info, w->types[ISA_U32]);
	put8(&w->info, 0);
	put_uleb(&w->info, isa_type_bytes(t) / isa_type_bytes(element));
	put8(&w->info, 0);
}

void dwarf_base_types(struct dwarf *w)
{
	static const struct {
		enum isa_type t, element;
	} vectors[] = {{ISA_F16X2, ISA_F16}, {ISA_BF16X2, ISA_BF16}, {ISA_U16X2, ISA_U16}, {ISA_S16X2, ISA_S16},
		       {ISA_U8X4, ISA_U8},   {ISA_S8X4, ISA_S8},     {ISA_F32X2, ISA_F32}};
	for (unsigned t = ISA_NOTYPE + 1; t < ISA_TYPE_COUNT; t++)
		base_type(w, (enum isa_type)t);
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		vector_type(w, vectors[i].t, vectors[i].element);
}

/* A dimension of 0 elements is one that isn't known. */
size_t dwarf_array(struct dwarf *w, enum isa_type type, const uint64_t *dims, uint32_t n_dims)
{
	size_t at = w->info.n - w->unit;
	put_uleb(&w->info, ABBREV_ARRAY);
	put32(&w->info, w->types[type]);
	for (uint32_t i = 0; i < n_dims; i++) {
		put_uleb(&w->info, dims[i] ? ABBREV_RANGE : ABBREV_OPEN_RANGE);
		put32(&w->info, w->types[ISA_U32]);
		put8(&w->info, 0);
		if (dims[i])
			put_uleb(&w->info, dims[i]);
	}
	put8(&w->info, 0);
	return at;
}

size_t dwarf_bytes(struct dwarf *w, enum isa_type type, uint64_t count)
{
	size_t array = dwarf_array(w, type, &count, 1), at = w->info.n - w->unit;
	put_uleb(&w->info, ABBREV_RECORD);
	put_uleb(&w->info, count * isa_type_bytes(type));
	put_uleb(&w->info, ABBREV_MEMBER);
	put_string(&w->info, isa_type_info[type].name);
	put32(&w->info, array);
	put8(&w->info, 0);
	put8(&w->info, 0);
	return at;
}

size_t dwarf_vector(struct dwarf *w, enum isa_type type, unsigned n)
{
	size_t at = w->info.n - w->unit;
	unsigned bytes = isa_type_bytes(type);
	put_uleb(&w->info, ABBREV_STRUCT);
	text_addf(&w->info, "v%u_%s", n, isa_type_info[type].name);
	put8(&w->info, 0);
	put8(&w->info, n * bytes);
	for (unsigned i = 0; i < n; i++) {
		put_uleb(&w->info, ABBREV_MEMBER);
		put8(&w->info, (unsigned)"xyzw"[i]);
		put8(&w->info, 0);
		put32(&w->info, w->types[type]);
		put8(&w->info, i * bytes);
	}
	put8(&w->info, 0);
	return at;
}

size_t dwarf_dim3(struct dwarf *w)
{
	size_t at = w->info.n - w->unit;
	put_uleb(&w->info, ABBREV_STRUCT);
	put_string(&w->info, "dim3");
	put8(&w->info, 12);
	for (unsigned i = 0; i < 3; i++) {
		const char name[] = {(char)('x' + (int)i), '\0'};
		put_uleb(&w->info, ABBREV_MEMBER);
		put_string(&w->info, name);
		put32(&w->info, w->types[ISA_U32]);
		put8(&w->info, 4 * i);
	}
	put8(&w->info, 0);
	return at;
}
