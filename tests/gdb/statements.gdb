# kernel: statements.ptx
# run: launch begins<<<1,32>>>()
# A function whose first .loc is its first statement breaks there.
break begins
continue
