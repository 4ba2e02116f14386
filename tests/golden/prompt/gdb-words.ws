# prompt
# args: ../debugger/inline.ptx
# what gdb's users type: rbreak, dprintf, displays by ranges, search, lists, show, eval, complete
buffer out s32[64] = zero
rbreak ^fra
rbreak ame\|nothing
rbreak nothing
rbreak [
set source cuda
delete
dprintf inline.cu:22,"t %d of %d\n", threadIdx.x, blockDim.x
dprintf inline.cu:22
dprintf inline.cu:22,5
dprintf
condition 3 threadIdx.x % 8 == 1
ignore 3 1
info breakpoints
start frames<<<2, 32>>>(out)
next 3
continue
info breakpoints
ignore 3 1
run
info breakpoints
disable 3
# displays
tb frames
run
display threadIdx.x
display/i $pc
display out[0]
disable display 1 3
info display
stepi
display
enable display 1
enable display 9
display
undisplay 1-2
info display
delete display 3
info display
undisplay 3-4
undisplay x
disable display
enable breakpoints 3
disable breakpoints 3
# sources
list inline.cu:called
list inline.ptx:called
list inline.cu:3,5
list +
list -
list 5,6
search return
search return
print $_
reverse-search inner
search nothing
forward-search frames
rev x
fo {
disassemble /s called
disassemble /rs $pc,+8
# values and the like
print 1
print 2.5
show values
show values 1
set $name = 7
set $other = $name + 1
show convenience
show version
show user
define twice
print 2 * $arg0
end
document twice
Doubles.
end
show user twice
show user nothing
eval "twice %d", 21
eval "print %d, 5
eval
complete info cu
complete info cuda 
complete p thr
complete show us
complete frame a
print $tid_x + $ctaid_x * $ntid_x
print $laneid
print $warpid
print $active
print $_thread == $uid
print $nothing
kill
print $laneid
# a hit that is ignored where a step's single instructions meet is one hit
delete
break inline.cu:22
ignore $bpnum 1
launch frames<<<2, 32>>>(out)
next 2
info breakpoints
continue
