# run: launch lanes<<<1,32>>>(A, 5)
# gdb has read no register when `monitor` moves the thread into a function: what it reads then is of one place
monitor stepi 10
maintenance flush register-cache
backtrace
up
print r8
