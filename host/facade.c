/* libcudart.so.N: the names that programs link, each a jump into the one library that does the work. */
#include "host/jump.h"
#define BY_RUNTIME_OF(name, toolkit) JUMP(name, name##_##toolkit)
#define BY_RUNTIME_IN(name, toolkit) BY_RUNTIME_OF(name, toolkit)
#define BY_RUNTIME(name) BY_RUNTIME_IN(name, TOOLKIT)
#include "host/entries.def"
