# args: -m performance -c tiny split.ptx
# stopping behind a branch changes nothing: diagram-compact has 269 cycles for this run
buffer out u32[64]
catch divergence after
run split<<<1, 64>>>(out)
info simt-stack
continue
continue
print $cycle
print out[32..40]
