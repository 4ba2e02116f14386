# args: -m performance
# run: launch sums<<<2,33>>>(A)
# In a recursive function, in front of its call to itself, at it, and at the end: each of the 66 lanes gets to the first two for n = 3, 2, 1,
# and to the end for n = 0, too
monitor break lane
break *0x8000048
break *0x8000058
break *0x8000070
commands 1-3
silent
continue
end
continue
info breakpoints
