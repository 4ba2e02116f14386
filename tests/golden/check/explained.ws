# args: explained.ptx -m functional --check all
# prompt
# `why` at a checker's stop says what the finding means and what to do
buffer in s32[128] = iota
buffer out s32[128]
run halves<<<1, 128>>>(in, out)
why
continue
why
continue
run neighbours<<<1, 32>>>(out)
why
continue
continue
run counter<<<2, 1>>>(out)
why
kill
run histogram<<<1, 32>>>(in, out)
why
stepi
why
kill
buffer bytes u8[128] = zero
run end<<<1, 1>>>(bytes)
why
continue
why
continue
run branch<<<1, 64>>>(out)
why
