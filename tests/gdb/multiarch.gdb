# gdb: gdb-multiarch
# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
step
backtrace
print fi
watch r8
