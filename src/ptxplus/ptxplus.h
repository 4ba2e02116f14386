/* The front end of PTXPlus: PTX's declarations with instructions near to the machine code of sm_10 to sm_13. */
#ifndef PTXPLUS_PTXPLUS_H
#define PTXPLUS_PTXPLUS_H

#include "isa/frontend.h"

extern const struct isa_frontend ptxplus_frontend;

#endif
