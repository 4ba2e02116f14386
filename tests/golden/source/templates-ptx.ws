# prompt
# args: templates.ptx
# without debug information: the variables that PTX has
buffer out s32[8] = zero
tb templates.cu:36
run tmpl<3><<<1, 8>>>(out)
p (s32)tmpl<3>::A[1]
p &tmpl<3>::A
p tmpl<5>::A
p gemm<8>::C
p scale<int>
p ::scale<float>
p scale<double>
p tmpl<3>::B
b gemm<16> if *(s32 *)&lin::gemm<8>::C == 10
b gemm<16> if gemm<4>::C[0] == 10
run k<int><<<1, 8>>>(out, 2)
p *(s32 *)&gemm<8>::C@8
p lin::gemm<16>::C[0]
