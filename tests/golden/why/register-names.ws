# A register called st is the value that is stored, though the address is called stored.
set history on
load register-names.ptx
buffer r f32[32] = zero
run names<<<1, 32>>>(r)
assert r[7] == 5
why r[7] 6
assert stored == 10
why stored 2
who-wrote r[7]
