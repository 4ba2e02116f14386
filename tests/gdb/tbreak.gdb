# run: launch lanes<<<2,64>>>(A, 5)
tbreak scale
continue
info breakpoints
up
print f1
down
print fi
