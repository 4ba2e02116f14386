# run: launch lanes<<<1,128>>>(A, 5)
stepi
# names of other warps' lanes are there as soon as a list of threads was asked for
thread apply 1 40 print $laneid
info threads 2 40
thread apply 1 40 print $laneid
thread find thread .100,
break 52
continue
thread find thread .100,
delete
set remote threads-packet off
stepi
info threads 1 40
thread find thread .100,
