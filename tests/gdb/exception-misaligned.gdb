# run: launch trapped<<<1,32>>>(A)
continue
print $_siginfo
info line
