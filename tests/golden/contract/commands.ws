# args: vecadd.ptx
# Command lists, silent, continue in a list, nested blocks
buffer A f32[96] = iota 0 1
buffer C f32[96] = zero
launch vecadd<<<1, 96>>>(A, A, C, 96)
b 33
commands
silent
if %tid.x > 40
printf "warp at %d\n", %tid.x
else
echo low\n
end
c
end
c
p C[95]
define three
p $arg0 + $arg1
p $argc
end
document three
Adds.
end
help three
three 4 5
set $i = 0
while $i < 3
set $i = $i + 1
end
p $i
