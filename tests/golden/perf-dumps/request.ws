# args: -m performance -c tiny -o '-gpgpu_memlatency_stat 14' chain.ptx
# status: 1
# one request from its birth to its end; 20 is a number that an instruction fetch has used up
buffer out u32[64] = iota
trace request 20
trace request 22
trace request 0x16 on
trace request 30
trace request 30 off
trace FETCH,LDST on
info trace
launch chain<<<1, 64>>>(out)
continue
# 148 to 216 is the longest round trip; looking has not changed what is simulated
stats maxmflatency
stats gpu_tot_sim_cycle
# one that is under way, and packets by number
trace all off
launch chain<<<1, 64>>>(out)
run-to-cycle 330
trace request 43
trace ICNT on
run-to-cycle 352
trace request off
run-to-cycle 360
trace request 43
