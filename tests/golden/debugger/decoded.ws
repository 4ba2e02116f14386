# disassemble /r: what instructions were decoded to, for every kind of operand.
load decoded.ptx
disassemble /r k
disassemble /rm add
disassemble /m 0x8,+16
disassemble /r 0x0,0x10
