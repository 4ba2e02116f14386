# kernel: templates.ptx
# run: buffer out s32[32] = iota
# run: launch scale<int, 3><<<1,32>>>(out)
# what is made from a template is found by the template's name, as in a program for the CPU; operators have their whole name
break scale
break ns::twice
break op::operator()
info breakpoints
continue
continue
backtrace
info symbol $pc
delete
monitor launch ops<<<1,32>>>(out)
break operator()
break op::operator< <int>
continue
continue
backtrace
monitor backtrace
