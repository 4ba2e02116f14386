#include "units.h"
__device__ int offset = 1000;
__constant__ int factor = 3;
