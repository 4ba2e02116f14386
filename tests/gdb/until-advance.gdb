# run: launch lanes<<<2,64>>>(A, 5)
tbreak 57
continue
until 62
print r8
advance 63
info breakpoints
