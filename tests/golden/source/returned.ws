# prompt
# args: returned.ptx
# Values returned as gdb prints them: references with their address and what is there, closures with what they captured. Lists are assigned to arrays
buffer out f32[4] = zero
break pick
break member
break adder
break returned.cu:24
run k<<<1, 1>>>(out)
finish
print $.y
continue
finish
continue
finish
print $.k
continue
print {unsigned char[3]}(a+1) = {1,2,3}
print a
set var a = {1,2,3,4,5,6}
print a
set var {unsigned char[2]}(bytes+1) = {7,8}
print bytes
print *a@2 = {300, -1}
set var {char[4]}a = "abc"
print a
print grid = {{1,2,3},{4,5,6}}
print grid[1] = {7,8,9}
print grid
print {1,2,3}
print {1.5, 2}
print {{1,2},{3,4}}
print {{1,2},{3}}
print {1,2}[1] + sizeof({1,2})
print {float[2]}out = {1.5, 2}
print out
print a = {1,2}
print {}
print {1 2}
print {"a"}
