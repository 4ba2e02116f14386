# args: -q -m performance chain.ptx
# Back and forth between turns of lanes that wait for lanes of their warp, with history and with a checkpoint: each moment is what it was
set history on
buffer A u32[1024] = zero
launch chain<<<2, 64>>>(A)
run-to-cycle 100000
info simt-stack
print chain_lock, chain_done[48..63]
run-to-cycle 200000
info simt-stack
print chain_lock, chain_done[48..63]
goto-cycle 100000
info simt-stack
print chain_lock, chain_done[48..63]
stepi 1000
reverse-stepi 1000
info simt-stack
watch chain_done[40]
continue
reverse-continue
print chain_done[40..41]
delete
checkpoint ways-performance.wsc
continue
print chain_lock, A[0..7]
restore ways-performance.wsc
print chain_done[40..41]
continue
print chain_lock, A[0..7]
shell rm ways-performance.wsc
