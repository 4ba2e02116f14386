# run: launch lanes<<<2,64>>>(A, 5)
info line 57
info symbol 0x8000078
info address lanes
info scope lanes.ptx:57
break lanes.ptx:59
break lanes:EVEN
break *0x8000078
break 40
info breakpoints
