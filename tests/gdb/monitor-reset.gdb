# run: launch lanes<<<1,4>>>(A, 5)
# a reset takes the thread away that gdb has selected: its row stays, without a kernel, and gdb goes on with what is launched then.
# (A continue steps off the breakpoint first; told of another thread's stop, gdb 13 ended in `internal-error: finish_step_over`.)
break lanes
continue
monitor reset
info threads
continue
monitor launch
info threads
continue
