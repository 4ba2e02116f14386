/* Special registers as the PTX ISA names them (ISA "Special Registers"): known to the parser whether or not they are simulated. */
#ifndef PTX_SPECIAL_NAMES_H
#define PTX_SPECIAL_NAMES_H

#include <stdint.h>

struct isa_special_name {
	const char *name;		      /* with its % */
	uint8_t n_name, dims;		      /* dims: 1, or 4 for .x .y .z .w */
	uint8_t type;			      /* enum isa_type of one element */
	uint8_t version_major, version_minor; /* first PTX ISA that has it */
	uint8_t sm;			      /* first architecture, 0: all */
};

extern const struct isa_special_name ptx_special_names[];
extern const unsigned ptx_special_names_count;

/* Returns the row of a name of n bytes (with its %), or NULL if PTX has no such special register. */
const struct isa_special_name *ptx_special_find(const char *s, uint32_t n);

#endif
