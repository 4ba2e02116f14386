# args: -q -m functional output.ptx
# status: 3
# what printf prints of memory that nobody has written
check init on
buffer A s32[4]
run prints<<<1, 4>>>(A)
info findings
print $_findings
