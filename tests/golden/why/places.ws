# args: -m performance memory.ptx
# Where requests are. What the trace says of request 11 as it moves is what `why` has to say of it later: since which cycle it is where. Of the
# configuration: 120 cycles in the ROP delay (-rop_latency), 100 on the way to the DRAM controller (-dram_latency).
buffer C u32[64] = iota 1
launch ways<<<1, 64>>>(C)
trace request 11
why
run-to-cycle 2
why warp 0
run-to-cycle 60
why warp 0
why warp 1
run-to-cycle 280
why warp 0
run-to-cycle 500
why warp 0
why request 7
run-to-cycle 556
why warp 0
run-to-cycle 600
why warp 0
why warp 1
why request 11
run-to-cycle 700
why warp 0
run-to-cycle 791
why request 11
run-to-cycle 820
why warp 0
# the machine stands in front of an instruction
break 21
continue
why
delete
stepi
run-to-cycle 900
why
run-to-cycle 1100
why warp 0
why warp 1
run-to-cycle 1170
why warp 1
continue
why warp 0
why hang
