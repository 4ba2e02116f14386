# kernel: unnamed.ptx
# run: set source cuda
# run: launch unnamed<<<1,32>>>(A)
# nvcc gives types without names one, which isn't shown
break unnamed.cu:40
continue
ptype local
whatis local
print local
ptype choice
print choice
ptype add
ptype c
whatis c.at
print c
print c.high
print c.state == cell::FULL
ptype b
whatis b.in
ptype n
whatis n
ptype state
print state
print state.limits.most
delete
# where there is no source, too, variables have their types
continue
print state
whatis state.limits
