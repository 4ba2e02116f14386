/* The interface of the PTX front end. */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "isa/frontend.h"

/* Loads PTX: parses, checks, lowers, and links the text with its module. */
extern const struct isa_frontend ptx_frontend;

#endif
