# prompt
# args: ../source/inlined.ptx
# frame level, function and apply, faas, backtrace full, thread find
buffer results s32[8]
set source cuda
thread find lane
tb clamp
run inlined<<<1,8>>>(results, 3)
backtrace -9223372036854775808
backtrace -9223372036854775807
backtrace 9223372036854775807
frame function inlined
frame function twice
frame function clamp
frame function range::clamp
frame function nothing
frame function
frame level 1
frame level
frame level 9
backtrace full
bt full 1
bt -full -1
frame apply all print value
frame apply all -s print first
frame apply all -q print value
frame apply all -c print first
frame apply 2 info args
frame apply level 1 print r
frame apply level 1-2 -q whatis first
frame apply 1
frame apply
frame
faas print low
faas
up
faas print/x value
frame
thread find thread (3
thread find lane [67]$
thread find nothing
thread find
thread find lane [
