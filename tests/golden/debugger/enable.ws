# prompt
# args: ../contract/vecadd.ptx
# enable once and enable delete; the lists are gdb 13's for the same commands
buffer A f32[64] = iota
break vecadd
break 33
watch A[40]
disable
enable once 2 3
enable delete 1
info breakpoints
run vecadd<<<1, 64>>>(A, A, A, 64)
info breakpoints
continue
info breakpoints
continue
continue
enable 2
info breakpoints 2
run
enable once
enable delete
enable once 99
# one location of several
delete
load places.ptx
buffer f f32[2] = {3, 4}
break scale
disable 4.1
info breakpoints
run scale<float><<<1, 2>>>(f, f, 2, f)
print f[0..1]
enable 4.1
disable 4.2 4.3
enable 4 4.0
disable 6.1
disable 4.2
run
info breakpoints
# a temporary one may become one that is disabled when it stops, and back
delete
tbreak places.ptx:74
enable once 5
info breakpoints
enable delete 5
info breakpoints
enable once 5
run
info breakpoints
