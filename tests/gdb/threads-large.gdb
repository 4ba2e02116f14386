# run: launch lanes<<<2,1024>>>(A, 5)
# gdb isn't told of the list in XML, which costs it too much; what a thread is it asks one by one
show remote threads-packet
info threads 1 40
break 52 if r1 == 70
continue
info threads 1 71 1000
thread find thread .200,
thread find warp 31 lane 31
thread 201
stepi
monitor focus block (1,0,0)
thread find block .1,0,0. thread .5,
