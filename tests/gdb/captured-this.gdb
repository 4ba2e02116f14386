# kernel: ../reports/debugger/01-lambda/lam.ptx
# run: launch member<<<1, 32>>>({f32 1.5, s16 -4, u8 1, u64 &A[0]}, 20)
# In a lambda that has captured `this`, members of the object are found by their names, as gcc's debug information has it; so are the others that it has captured.
break lam.cu:20
continue
backtrace 2
print a
print off
print neg
print n
print *this
set var a = 3
print this->a
info locals
tbreak lam.cu:24 if a < 2 && i == 7
continue
print dst[i]
print n - i
up
print a
print body
