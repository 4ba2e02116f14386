# kernel: ../golden/source/variables.ptx
# run: set source cuda
# run: launch kinds<<<1,4>>>(A, 7, {s32 3, s32 4}, 1.5)
# a base whose padding the derived class uses is of a type of its own for nvcc; gdb sees the class itself
break variables.cu:142
continue
print der
print der.b
ptype der
whatis (base)der
print *(derived *)bp
print sizeof(base)
