# args: -q -m functional races.ptx
# status: 3
# switched on in the middle of a kernel, gone back to before: which checkers are on is a setting, what they know goes back
set history on
set check-action stop
buffer o s32[64] = zero
launch buffers<<<1, 64>>>(o, 0)
step 20
check race on
checkpoint a
c
restart a
c
rsi 2
c
goto-cycle 5
c
info findings
