# args: -m performance -c tiny chain.ptx
# info warps and info blocks say what info cores and info scoreboard say: all four warps wait for the load into %r5
buffer out u32[128] = iota
launch chain<<<2, 64>>>(out)
info warps
# registers of a block that isn't on a core: kernel 0 is grid 1, one core of 128 / 32 warps
focus block (1,0,0) thread (40,0,0)
print %gridid
print %nsmid
print %nwarpid
print %ctaid.x + 100 * %tid.x
printf "%d %d %d\n", %laneid, %lanemask_lt, %total_smem_size
run-to-cycle 175
printf "%d %d %d %d\n", %gridid, %nsmid, %nwarpid, %smid
info cores
info scoreboard
info warps
info blocks
