# args: --check init
# status: 3
# Uninitialised texels reach a branch, the host and a reduction through tex, sust, suld and sured; an uninitialised coordinate is an address.
load init.ptx
buffer O f32[4]
surface S f32[4]
surface D f32[4]
texture T of S
set S[0] = 1
set S[1] = 2
texture L of S filter linear address clamp
run copy<<<1, 4>>>(T, O, D)
save O /dev/null
run copy<<<1, 2>>>(L, O, D)
save O /dev/null
run coord<<<1, 4>>>(L, O)
