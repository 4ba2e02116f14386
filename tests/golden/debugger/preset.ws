# args: preset.ptx
# What is set in threads whose block has not started is shown, and there when it starts; each thread stores %h1 + %r1, %p1,
# tile[tid], mine[1].
buffer out u32[512] = fill 7
launch preset<<<2, 64>>>(out, 0)
set %r1 = 1000
set %h1 = -1
set %p1 = 1
set tile[40] = 5
set mine[1] = 77
p %r1
p %p1
p tile[40]
p mine[1]
info lanes %r1
focus block (1,0,0) thread (40,0,0)
p %r1
p tile[40]
set %r1 += 3
set %r1 *= 2
set shared[0] = 12
set (u8)shared[5] = 1
p/x tile[0..1]
p %r1
b 33
c
p %r1
p mine[1]
delete
c
p out[0..3]
p out[4..7]
p out[160..163]
p out[256..259]
p out[260..263]
p out[416..419]
# again: nothing of it is left
run preset<<<2, 64>>>(out, 0)
p out[0..3]
p out[256..259]
# a launch that is killed takes its values along
launch preset<<<2, 64>>>(out, 0)
set %r1 = 4
kill
run preset<<<2, 64>>>(out, 0)
p out[0..3]
