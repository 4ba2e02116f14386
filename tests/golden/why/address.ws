# args: -q -m functional ../check/places.ptx
# status: 3
# At an exception `why` explains the address in the words of the exception. Of a wrong load that the memory checker passes over, `why` says so at the load.
set history on
buffer o s32[64] = zero
buffer slot u64[1] = zero
run give<<<1, 32>>>(slot, 1)
run use_shared<<<1, 1>>>(slot, o)
why %rd6 1
why %rd5 1
why %rd3 1
continue
reset
run write_end<<<1, 1>>>(o, 64)
why %rd5 1
reset
set slot[0] = 0x80000002
run use_null<<<1, 1>>>(slot, o)
why %rd6 1
reset
check memory on
set check-action report
set slot[0] = 0
run use_null<<<1, 1>>>(slot, o)
why o[0] 4
run give<<<1, 32>>>(slot, 1)
run use_shared<<<1, 1>>>(slot, o)
why o[0] 4
