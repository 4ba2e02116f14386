# args: -m performance -c tiny sums.ptx
# with time turned round until and advance go back, as gdb's do: to a place, to the call of the function, to its beginning
set history on
buffer sum u32[64] = zero
launch sums<<<1, 64>>>(sum)
goto-cycle 430
set exec-direction reverse
advance 24
print %r2
until 23
advance 7
until
until 20
advance 24
until
until
# breakpoints on the way stop them
set exec-direction forward
goto-cycle 430
set exec-direction reverse
break 25 if %r2 == 3
advance 18
print %r2
advance 18
print %r2
until
delete
advance 26
