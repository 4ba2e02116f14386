/* libcudart.so.N: the names that programs link, each a jump into libwarpstep.so. */
#include "host/jump.h"
#define BY_RUNTIME_OF(name, toolkit) JUMP(name, name##_##toolkit)
#define BY_RUNTIME_IN(name, toolkit) BY_RUNTIME_OF(name, toolkit)
#define BY_RUNTIME(name) BY_RUNTIME_IN(name, TOOLKIT)
#define SINCE_13_11(name, other) JUMP(name, name)
#define SINCE_13_12(name, other) JUMP(name, name)
#define SINCE_13_13(name, other) JUMP(name, name##_since_13)
#define SINCE_13_OF(name, other, toolkit) SINCE_13_##toolkit(name, other)
#define SINCE_13_IN(name, other, toolkit) SINCE_13_OF(name, other, toolkit)
#define SINCE_13(name, other) SINCE_13_IN(name, other, TOOLKIT)
#include "host/entries.def"
