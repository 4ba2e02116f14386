# prompt
# args: templates-g.ptx
# names with template arguments as users write them: with and without scopes, arguments and the suffixes of numbers
buffer out s32[8] = zero
buffer fout f32[8] = zero
b tget
b B::tget
b B<int>::tget
b B<int>::tget(int) const
b tget(int)
b lin::mat::get
b mat<float>::tr
b ::mat::tr
b B
b plus<7>
b B<int>::plus
b gemm<8>
b lin::gemm< 16u >
b lin::gemm
b k<float>
b tmpl<4>
info breakpoints
delete
# variables of functions; never two comparisons
tb templates.cu:35
run tmpl<3><<<1, 8>>>(out)
p tmpl<3>::A
p tmpl<3>::A[1] + tmpl< 3 >::A[2]
p &tmpl<3>::A
whatis tmpl<3>::A
p sizeof(tmpl<3>::A)
p *tmpl<3>::A@2
p tmpl<3>
p tmpl<5>::A
p gemm<8>::C
p tmpl<3>::Q
p nothing<3>::A
p tmpl<3> + 1
p lin::k<float> + 1
p k<float> < 2
p scale<int>
p scale<float> * 2
p scale<int>+1
# what is a comparison stays one
p out[0]<3
p 1<2>0
p $uid<4>>1
p b.v<2>(0)
c
launch k<float><<<1, 8>>>(fout, 2)
kill
launch k<<<1, 8>>>(out, 2)
launch mat<<<1, 8>>>(out, 2)
b gemm<16> if gemm<8>::C[0] == 10 && lin::gemm<8>::C[7] == 10
run k<int><<<1, 8>>>(out, 2)
p gemm<8>::C
p *mat<int>::tr::this
up
p gemm<8>::C
delete
c
disassemble tget
disassemble plus
x/1i lin::gemm<16>
ptype gemm<8>
