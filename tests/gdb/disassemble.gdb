# run: launch lanes<<<2,64>>>(A, 5)
disassemble lanes,+24
disassemble /s 0x8000078,0x8000088
