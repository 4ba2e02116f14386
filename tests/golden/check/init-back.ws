# args: -m functional
# rc from the use of what isn't initialised: an earlier finding, else where it came to be unwritten; forwards again each is found again.
set history on
check init on
set check-action stop
load init-back.ptx
buffer zeros u32[4] = zero
launch uses<<<1,1>>>(zeros)
buffer a u32[16]
run uses<<<1,1>>>(a)
continue
continue
rc
rc
rc
print $cycle
rc
continue
continue
continue
# memory that was allocated between two launches: there
continue
buffer c u32[16]
run later<<<1,1>>>(c)
rc
rc
info buffers
