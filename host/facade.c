/* libcudart.so.N: the names that programs link, each a jump into the one library that does the work. */
#include "host/jump.h"
#include "host/entries.def"
