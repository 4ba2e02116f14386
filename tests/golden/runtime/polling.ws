# args: -q -m functional
# status: 4
load polling.ptx
buffer out s32[4] = zero
# another stream's kernel answers: it begins beside the one that waits
launch wait_for<<<2, 40, 0, 1>>>(out, 7)
launch set<<<1, 1, 0, 2>>>(7)
break set
c
info kernels
info threads
c
p out[0]
delete
# both wait for each other, time and again
launch ping<<<1, 1, 0, 1>>>(5)
launch pong<<<1, 1, 0, 2>>>(5)
c
p flag, answer
# the same, cut into pieces, and in an order that a seed chooses
set flag = 0
set answer = 0
set $from = $cycle
launch ping<<<1, 1, 0, 1>>>(3)
launch pong<<<1, 1, 0, 2>>>(3)
c
set $whole = $cycle - $from
set flag = 0
set answer = 0
set $from = $cycle
launch ping<<<1, 1, 0, 1>>>(3)
launch pong<<<1, 1, 0, 2>>>(3)
step 1
step 500
step 601
c
assert $cycle - $from == $whole
schedule 5
set flag = 0
set answer = 0
launch ping<<<1, 1, 0, 1>>>(3)
launch pong<<<1, 1, 0, 2>>>(3)
c
p flag, answer
schedule default
# it counts, so nothing repeats: after a while others have a turn
launch count_until<<<1, 1, 0, 1>>>(out, 9)
launch set<<<1, 1, 0, 2>>>(9)
c
p out[0]
# and back, and there again
set history on
set flag = 0
set answer = 0
launch ping<<<1, 1, 0, 1>>>(3)
launch pong<<<1, 1, 0, 2>>>(3)
break 127
c
set $there = $cycle
delete
c
p flag, answer
set $end = $cycle
goto-cycle $there
info kernels
p flag, answer
c
p flag, answer
assert $cycle == $end
# nobody can answer: the reason is told
launch wait_for<<<1, 1, 0, 3>>>(out, 8)
launch set<<<1, 1, 0, 3>>>(8)
c
