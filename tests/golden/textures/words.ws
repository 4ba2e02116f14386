# prompt
# Going back over a surface's texels; what is refused; layers, cube maps and levels in the order of INIT.
load filter.ptx
buffer O f32[4]
set history on
surface S u32[4,2] = zero
texture T f32[4,2] = iota 0 10
run paint<<<1, 4>>>(S, 1)
who-wrote S[2,1]
goto-cycle 0
print S[2,1]
goto-cycle 1000
print S[2,1]
texture T f32[4,2] = fill 3
undo
print T[1,0]
texture A f32x3[4]
texture A f32[0]
texture A s32[4] = iota filter linear
texture A f64[4]
texture A f32[4] layers
texture A f32[4] = zero wobble
texture A u8x4 = file /nonexistent.png
bind nosuch T
bind image O
bind canvas T
texture X of nosuch f32[4]
print T[9,9]
print T[1,1,1]
surface B f32[2,2,2] = iota
print B[1,1,1]
texture Q f32[2,2] layers 3 = iota
print Q[1,0,2]
texture CU f32[2,2] cube = iota
print CU[0,0,5]
texture MM f32[4,4] levels 3 = iota
print MM[16]
info textures --json
