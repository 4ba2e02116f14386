# Lanes that have come to a barrier wait for others of their warp: $active names those that stand together, and the barrier waits for as many as they said.
load lanes-that-wait.ptx
buffer a u32[64] = zero
break 13
run act<<<3,96>>>(a)
delete
p/x $active
focus lane 3
p/x $active
info barriers
why barrier 4
focus block (2,0,0) thread (5,0,0)
p/x $active
