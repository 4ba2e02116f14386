# args: -q -m functional mistakes.ptx
# status: 3
# what was found is told once, at its kernel's end: going back and forward again neither repeats nor counts it again
set history on
set check-action report
check memory on
buffer x f32[200] = fill 1
buffer z f32[200]
launch past<<<4, 64>>>(z, x)
goto-cycle 5
checkpoint early
c
info findings
goto-cycle 10
c
rs 5
step 2
c
restart early
c
# a stop is one each time, as a breakpoint's; what it said isn't said at the end
goto-cycle 10
set check-action stop
c
goto-cycle 10
set check-action report
c
info findings
# on another way it is news again
goto-cycle 10
set %r1 = %r1
c
info findings
# and when it was taken back
undo 30
buffer x f32[200] = fill 1
buffer z f32[200]
run past<<<4, 64>>>(z, x)
goto-cycle 110
set z[0] = 1
c
