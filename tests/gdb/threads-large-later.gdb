# run: launch lanes<<<1,128>>>(A, 5)
show remote threads-packet
monitor kill
# a larger one comes when gdb is there already: it goes on with XML
monitor launch lanes<<<1,1024>>>(A, 5)
break 52 if r1 == 70
continue
info threads 129
