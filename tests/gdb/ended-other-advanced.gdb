# A step of a thread that has ended, while another one stands where gdb has no breakpoint any more (advance had one): gdb would ask for
# the step again and again.
# run: launch lanes<<<1,64>>>(A, 5)
tbreak 72 if $warpid == 1
continue
advance 73
thread 1
until
