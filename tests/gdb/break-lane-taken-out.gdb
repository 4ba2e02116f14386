# run: launch lanes<<<1,32>>>(A, 5)
# finish, which another lane's hit ends, has left a breakpoint behind the call: for a lane that is there and steps by itself there is none
monitor break lane
break scale
continue
finish
delete
monitor step 4
maintenance flush register-cache
maintenance flush dcache
info line *$pc
set scheduler-locking on
stepi
stepi
info threads 1-3
