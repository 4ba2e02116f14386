# run: launch lanes<<<2,64>>>(A, 5)
# A condition on floats can't be evaluated by the stub: gdb does it, lane by lane.
break 58 if f1 == 37
continue
print $laneid
print f1
