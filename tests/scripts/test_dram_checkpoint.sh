# A checkpoint file has the streams and the memory of a DRAM standard: the machine that it gives ends in the same cycle, with the same streams.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
cp "$ROOT"/examples/mondrian/write.ptx .
cat >before.ws <<'END'
load write.ptx
buffer w u32[8000] = zero
launch write_bandwidth<<<1, 8>>>(0, 0, 8, &w[0], &w[1000], &w[2000], &w[3000], &w[4000], &w[5000], &w[6000], &w[7000], 1000)
run-to-cycle 2000
checkpoint at.wsc
END
printf '%s\n' 'info stream-buffers' 'info dram' 'dm 0' continue 'stats gpu_sim_cycle' 'stats dram_standard_*' >after.ws
"$WARPSTEP" -m performance -c "$ROOT/configs/mondrian/gpgpusim.config" --batch -x before.ws -x after.ws >one 2>&1
"$WARPSTEP" --batch -ex 'restore at.wsc' -x after.ws >two 2>&1
grep -q 'gpu_sim_cycle = ' one || { cat one; exit 1; }
diff <(sed -n '/Core Stream/,$p' one) <(sed -n '/Core Stream/,$p' two)
