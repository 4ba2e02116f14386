# run: launch lanes<<<2,64>>>(A, 5)
break lanes
continue
continue
info breakpoints
