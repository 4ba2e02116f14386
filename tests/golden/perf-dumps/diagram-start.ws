# args: -m performance -c tiny chain.ptx
# before their first instruction rows have the names of their blocks, too
buffer out u32[128] = iota
launch chain<<<2, 64>>>(out)
run-to-cycle 58
diagram cycle 0..57
