# target: extended
# run: launch lanes<<<2,64>>>(A, 5)
# arguments of run are the launch; without any it is the last one
break lanes.ptx:58
run
print n
run lanes<<<1, 32>>>(A, 9)
info threads 32
kill
run
print $ctaid_x
set args
run
run lanes<<<1, 32>>>(nothing)
run 1 2 3
set args wild<<<1, 32>>>(A)
run
