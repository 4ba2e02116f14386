/* Scalar types of PTX (PTX ISA "Types"): one row each in types.def. */
#ifndef ISA_TYPES_H
#define ISA_TYPES_H

#include <stdbool.h>
#include <stdint.h>

enum isa_class { ISA_CLASS_PRED, ISA_CLASS_BITS, ISA_CLASS_UNSIGNED, ISA_CLASS_SIGNED, ISA_CLASS_FLOAT, ISA_CLASS_OPAQUE };

enum isa_type {
	ISA_NOTYPE,
#define TYPE(id, name, bytes, cls) ISA_##id,
#include "isa/types.def"
	ISA_TYPE_COUNT
};

struct isa_type_info {
	const char *name; /* without the dot: "u32" */
	uint8_t bytes;	  /* of one register or memory element; 0 for pred and opaque types */
	uint8_t cls;	  /* enum isa_class */
};

extern const struct isa_type_info isa_type_info[ISA_TYPE_COUNT];

/* Returns the type named by n bytes without the dot ("u32"), or ISA_NOTYPE if there is none. */
enum isa_type isa_type_find(const char *s, unsigned n);

/* Returns the bytes of one register or memory element of a type; 0 for predicates and opaque types. */
static inline unsigned isa_type_bytes(enum isa_type t) { return isa_type_info[t].bytes; }
/* Returns whether a type is a floating-point type. */
static inline bool isa_type_is_float(enum isa_type t) { return isa_type_info[t].cls == ISA_CLASS_FLOAT; }
/* Returns whether a type is a signed integer type (.sN). */
static inline bool isa_type_is_signed(enum isa_type t) { return isa_type_info[t].cls == ISA_CLASS_SIGNED; }

/* Returns the bytes of one register row (32 lanes) for registers of `type_bytes` bytes; 8-bit registers take 16-bit lanes. Predicates have no row. */
static inline unsigned isa_row_bytes(unsigned type_bytes) { return 32u * (type_bytes < 2 ? 2 : type_bytes); }

/* Which other files see a name of module scope. EXTERN: a declaration without a definition. */
enum isa_linkage { ISA_LINK_NONE, ISA_LINK_EXTERN, ISA_LINK_VISIBLE, ISA_LINK_WEAK, ISA_LINK_COMMON };

#endif
