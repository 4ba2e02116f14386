# args: -m performance
# run: launch lanes<<<1,32>>>(A, 5)
# A command of the prompt's that runs nothing, since it is refused, takes nobody over a breakpoint: thread 5 hits its own.
monitor break lane
break 73 if $uid == 5
watch A[3]
continue
monitor finish
monitor until nowhere
continue
