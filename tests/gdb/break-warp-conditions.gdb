# run: launch lanes<<<1,64>>>(A, 5)
# Where a breakpoint of a thread is gdb looks at all conditions itself, with `break warp` for one lane of a warp: here that is lane 0, and in the other warp the
# selected one.
set print frame-info short-location
monitor break warp
monitor expose all
break 54 if $laneid > 19
break 54 thread 3
thread 60
continue
print $_thread
# told of the condition alone warpstep finds the lane
delete 2
reverse-continue
