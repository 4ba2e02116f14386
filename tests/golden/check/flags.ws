# args: -q -m functional --check race flags.ptx
# status: 3
# What fences would have ordered is said, and so is `to do`; not where they would not
set check-action stop
buffer o s32[64] = zero
run pub<<<2, 32>>>(o)
why
c
run half<<<2, 32>>>(o)
why
c
run none<<<2, 32>>>(o)
why
c
run blockfence<<<2, 32>>>(o)
why
c
run through_barriers<<<2, 64>>>(o)
why
c
run too_early<<<2, 32>>>(o)
why
c
run unread<<<2, 32>>>(o)
why
c
