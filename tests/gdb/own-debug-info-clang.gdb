# kernel: ../ptx/clang-sm60-g.ptx
# run: set source cuda
# run: buffer O s32[64] = zero
# run: buffer I f32[64] = iota
# run: launch mix<<<1,64>>>({b64 0, s32 3, f64 1.5}, O, I, 64)
break mix
continue
next
next
info locals
print out
print n
print weights
print last
ptype last
continue
