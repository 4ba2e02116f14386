# PTXPlus as it is written, in listings, stops, registers and expressions. In thread t $r3 is 10 t, with 10 in its upper half; $r4 is
# 2 ($r3 - 1), and if the sum carried $r3 more.
set history on
load look.ptxplus
buffer out u32[32] = zero
disassemble k
break 20 if $r1 == 3
run k<<<1, 32, 256>>>(out)
print/x $r3
print $r3.lo
print $r3.hi
print/x s[0x20 + 4 * 3]
print constant0[8]
print $ofs1
stepi
info registers $p0 $r4
print $p0
print $p0.cf
print $p0.eq
print/x $p0
# callp is a call: its registers are the caller's
stepi
backtrace
finish
print/x $r4
# flags that are set here decide the guard
set $p0 = 0
print $p0.cf
stepi
print/x $r4
reverse-stepi
set $p0 = 4
stepi
print/x $r4
print $ofs1
info registers
why $r4 3
delete
continue
print/x out[3]
who-wrote out[3]
