/* The element type by which instructions access a variable, for arrays that PTX declares as bytes. */
#ifndef ISA_ACCESSED_H
#define ISA_ACCESSED_H

#include "isa/program.h"

/* The types of a variable's accesses. */
struct isa_accessed {
	enum isa_type type;  /* of all accesses; ISA_NOTYPE if there are none or they disagree */
	enum isa_type other; /* ISA_NOTYPE, or one that disagrees with `first` */
	enum isa_type first; /* of some accesses; ISA_NOTYPE if there are none */
};
/* Returns the type of a variable's elements: the one it is declared with, or for an array of bytes in shared memory the type of its accesses, if they
 * agree and the array is a multiple of it. Stores the accesses of such an array in *a, zeros for other variables. */
enum isa_type isa_variable_element(const struct isa_program *p, const struct isa_variable *v, struct isa_accessed *a);

#endif
