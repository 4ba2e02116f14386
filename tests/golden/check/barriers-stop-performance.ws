# args: -q -m performance -c tiny --check sync barriers.ptx
# status: 3
# it stops at each barrier's finding, then at the deadlock; going on again finds the deadlock once more, and counts nothing twice
set check-action stop
set history on
buffer o s32[128] = zero
run crossed<<<3, 64>>>(o, 0)
c
info findings
c
info findings
c
info findings
# one that spins: the deadlock is proven again
kill
run flag<<<2, 64>>>(o, 0)
info findings 3
c
c
info findings 3
# back, and forward again
rc
c
c
info findings
