# args: -m functional vector-params.ptx
# Vectors in registers as parameters: shown as vector registers are, element by element. Thread t hands on (t + 10, t + 20) and 100, or
# 1000 from thread 2 on; thread 1 hands on (7, 9) from memory. The bytes 1 to 12 come back four by four, backwards.
buffer to u32[12] = zero
buffer bytes u8[12] = iota 1
launch vectors<<<1, 3>>>(to, bytes)
focus thread 2
break sums if %tid.x == 2
c
bt
info args
p %pair.x
p %sums.w
up
p %in.y
down
finish
p %out.z
delete
c
p to[0..11]
p bytes[0..11]
