# args: arguments.ptx
# arguments at the first instruction of functions, which has not taken any of them from its parameters yet: values are those of the calls
buffer out s32[8] = zero
tb args if c == 'x'
run args<<<1, 8>>>(out, {s32 10, s32 20}, {f64 1.5, f64 2.5, f64 3.5, f64 4.5, s32 7}, 0.25, 120)
info args
print q.d[3] + q.n
print &p
# taken one by one: shown as before and behind
stepi 8
info args
tb taken if v == 3
c
info args
print v * w
bt
tb both if yes && p.a == 11 && q.n == 7
c
info args
whatis p
tb fact if n == 2
c
info args
bt 3
tb fact if n == 1 && %laneid == 5
c
bt
tb counter::add if by == 5 && base == 4 && limit == 40
c
info args
print *this
print limit + base
tb counter::twice if s == 6
c
print s
tb mixed if u == 7 && v.z == 3
c
info args
# a condition that no argument fulfils
tb mixed if u == 8
c
p out[0..7]
