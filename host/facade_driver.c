/* libcuda.so.1: the names of the driver API, each a jump into libwarpstep.so. */
#include "host/jump.h"
#include "host/driver/entries.def"
