# run: launch lanes<<<1,64>>>(A, 5)
# conditions on predicates are evaluated by the stub, whatever their form: gdb makes bytecode of them as of integers
break 61 if p1 != 1
break 63 if (p2 ? 0 : 1) && r1 == 5
break 64 if !p2
continue
info breakpoints
continue
print $laneid
print p1
continue
print $laneid
print p2
