# args: -q -m functional lines.ptx
# status: 4
# The report of a deadlock and `why` name the same line: the innermost one that is the user's own. `why hang` right after the report doesn't say that there is none.
buffer K s32[1] = zero
run lock_twice<<<1, 64>>>(K)
why hang
kill
run barriers<<<2, 64>>>(K)
why hang
why
