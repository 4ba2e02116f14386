# kernel: classes-clang.ptx
# run: set source cuda
# run: launch classes<<<1,32>>>(A)
break classes-clang.cu:25
continue
info locals
ptype o
ptype c
ptype shape
whatis last
