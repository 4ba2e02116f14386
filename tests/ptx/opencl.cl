__kernel void scale(__global float *a, __constant float *c, __local int *l, float4 v, int n) {
  size_t i = __nvvm_read_ptx_sreg_tid_x(); if (i < n) { a[i] = a[i] * c[i] + v.y; l[i] = n; float8 x = (float8)(a[0]); a[3] = x.s7; }
}
