# prompt
# args: -m functional calls.ptx
# Arguments and results of functions, in registers and in memory; votes and reductions, whose result is made of all lanes' operands.
set history on
buffer A u32[32] = iota
buffer B u32[32] = zero
b END
run k<<<1,32>>>(A,B)
focus thread (3,0,0)
why %r3
who-wrote %r3
why %r4 12
why %p2
why %r5 2
why %r7 2
why %r8 3
why B[3] 3
# in a function, its parameters are what the caller has given; the second call of the same function doesn't see what the first one has left
delete
run k<<<1,32>>>(A,B)
b plus
b half
run k<<<1,32>>>(A,B)
why %a
why %t
si
why %t 2
c
si 3
why %r1 6
up
why %r2 2
