# prompt
# args: arguments.ptx
# arguments that are still in their parameters are set there, but for a kernel's, which all threads share; watchpoints are on their own place
buffer out s32[8] = zero
tb args
run args<<<1, 8>>>(out, {s32 10, s32 20}, {f64 1.5, f64 2.5, f64 3.5, f64 4.5, s32 7}, 0.25, 120)
set var f = 1
print p.a = 3
tb fact if n == 5
c
watch n
set var n = 1
tb *$pc+8
c
print n
delete
tb taken
run
watch v
c
c
tb inl if key == 5
c
c
info args
