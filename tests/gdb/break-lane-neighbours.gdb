# args: -m performance
# run: launch lanes<<<3,48>>>(A, 5)
# Breakpoints on instructions that follow each other, reached by six warps at once: each of the 144 lanes is told of both
monitor break lane
break *0x8000120
commands 1
silent
continue
end
break *0x8000128
commands 2
silent
continue
end
continue
info breakpoints
