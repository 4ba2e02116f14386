# run: launch lanes<<<1,64>>>(A, 5)
# Lanes 3 to 5 are to be told, the first of them is, and lane 4, told in its turn, steps alone: lane 3 has its registers (r1 is the lane
# minus 1), lane 5 has them as they were, without line 51.
monitor break lane
break 51 if $uid >= 3 && $uid <= 5
continue
thread 4
set scheduler-locking on
stepi
stepi
stepi
thread 3
print r1
thread 5
print r1
print r2
set scheduler-locking off
continue
print r1
print r2
