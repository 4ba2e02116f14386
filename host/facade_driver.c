/* libcuda.so.1: the names of the driver API, each a jump into the one library that does the work. */
#include "host/jump.h"
#include "host/driver_entries.def"
