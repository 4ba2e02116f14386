# args: -q -m performance -c tiny --check race children.ptx
# status: 3
buffer p s32[64] = zero
buffer out s32[1] = zero
run child_reads<<<1, 64>>>(p, out)
run tail<<<1, 1>>>(p, out)
print $_findings
run reads_early<<<1, 1>>>(p, out)
run no_barrier<<<1, 64>>>(p, out)
run siblings<<<1, 1>>>(p)
