# args: -m functional dependent-grids.ptx
# a[i] = i, doubled by each of three grids
buffer a u32[32] = iota
launch twice<<<1, 32>>>(a)
launch twice<<<1, 32>>>(a)
launch twice<<<1, 32>>>(a)
continue
print a[0..8]
print a[31]
