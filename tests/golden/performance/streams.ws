# args: -m performance ../debugger/words-of-launch.ptx
# A launch in another stream after one in stream 0, and back: each starts with nothing else to wait for.
buffer C u32[4]
run twice<<<1, 1>>>(7, C)
run twice<<<1, 1, 0, 1>>>(8, C)
print C[0]
run twice<<<1, 1>>>(9, C)
print C[0]
run twice<<<1, 1, 0, 2>>>(10, C)
run twice<<<1, 1, 0, 1>>>(11, C)
print C[0]
