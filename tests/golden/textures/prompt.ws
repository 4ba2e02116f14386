# prompt
# Textures and surfaces made at the prompt, read by kernels with and without a filter, written, watched.
load filter.ptx
buffer O f32[4]
texture T f32[4,2] = iota 0 10
print T
print T[5]
print T[1,1]
print T[3,1] = 7
print T[2..4]
run fetch<<<1, 4>>>(T, O, 0.5, 0.5)
print O
texture L f32[4,2] = {0, 10, 20, 30, 40, 50, 60, 70} address wrap filter linear normalized border 1
texture M f32[4,2] = {0, 10, 20, 30, 40, 50, 60, 70} filter linear
run fetch<<<1, 4>>>(M, O, 0, 0.5)
print O
texture C u8x4[2,2] = iota 1
print C
print C[1,0]
set C[1,0] = {9, 8, 7, 6}
print C[1,0]
print C[0..1]
print C[1]
info textures
info buffers
run look<<<1, 4>>>(O)
bind image T
run look<<<1, 4>>>(O)
print O
info textures
surface S u32[4,2]
run paint<<<1, 4>>>(S, 1)
print S[1,1]
texture U of S
info textures
watch S[2,0]
run paint<<<1, 4>>>(S, 0)
who-wrote &S[2,0]
c
run paint<<<1, 8>>>(S, 0)
delete buffer S
delete buffer U
delete buffer S
