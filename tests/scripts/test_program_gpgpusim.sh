#!/bin/bash
# GPGPU-Sim's options and variables with a program, as users of GPGPU-Sim run it: which PTX is taken, other PTX in its place, levels of printing, figures of
# lines, embedded PTX in files, the preferred cache.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "nvcc is not installed"; exit 77; }
. "$ROOT/tests/lib/programs"
cp "$ROOT/tests/programs/nvcc/gpgpusim.cu" "$DIR" && cd "$DIR" || exit 1
"$NVCC" -lineinfo -gencode arch=compute_75,code=compute_75 -gencode arch=compute_80,code=compute_80 -o p gpgpusim.cu || exit 1
run() { "$WARPSTEP" --batch -n "$@" --args ./p >out 2>err; }
says() { # WHAT TEXT FILE
	grep -qF -- "$2" "$3" || fail "$1: $(cat out err)"
}

# the highest PTX that isn't above the option
for pair in 0:800 75:750 79:750 80:800 90:800; do
	run -m functional -o "-gpgpu_ptx_force_max_capability ${pair%:*}"
	says "at most ${pair%:*}" "no error: out[5] = 105, arch ${pair#*:}" out
done
run -m functional -o '-gpgpu_ptx_force_max_capability 60'
says 'at most 60' 'error: the program has no PTX for sm_60 or below (-gpgpu_ptx_force_max_capability 60); it has PTX for sm_75 sm_80' err
[ "$(grep -c 'no PTX for' err)" = 1 ] || fail "at most 60: $(cat err)"
says 'at most 60' 'no kernel image is available' out
echo '-gpgpu_ptx_force_max_capability 60' >sixty.config # a file doesn't limit which PTX runs
run -m functional -c sixty.config
says 'a file: at most 60' 'out[5] = 105, arch 800' out
says 'a file: at most 60' 'note: the program has no PTX for sm_60 or below (-gpgpu_ptx_force_max_capability 60): that for sm_80 is run' err

# embedded PTX in files, and a file in place of it: the first kernel adds 900
run -m functional -o '-save_embedded_ptx 1'
[ -s _1.ptx ] && grep -q '^\.target sm_80' _1.ptx && ! [ -e _2.ptx ] || fail "embedded PTX: $(ls; cat err)"
sed 's/100;/900;/' _1.ptx >own.ptx
cmp -s _1.ptx own.ptx && fail "nothing to replace in the PTX"
PTX_SIM_USE_PTX_FILE=1 PTX_SIM_KERNELFILE=own.ptx run -m functional
says 'own PTX' 'out[5] = 905' out
says 'own PTX' "note: PTX_SIM_USE_PTX_FILE is set: the PTX of 'own.ptx' is run in place of the program's" err
PTX_SIM_USE_PTX_FILE=1 PTX_SIM_KERNELFILE=own.ptx WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH=$LIBRARIES ./p >out 2>err
says 'own PTX by path' 'out[5] = 905' out
PTX_SIM_KERNELFILE=own.ptx run -m functional
says 'without PTX_SIM_USE_PTX_FILE' 'out[5] = 105' out
PTX_SIM_USE_PTX_FILE=1 PTX_SIM_KERNELFILE=nowhere.ptx run -m functional
says 'no such PTX' "error: can't read 'nowhere.ptx', which PTX_SIM_KERNELFILE names" err

# levels of PTX_SIM_DEBUG: each prints what the lower ones print
PTX_SIM_DEBUG=2 run -m functional
says 'level 2' 'GPGPU-Sim PTX: reconvergence points for _Z6targetPi...' err
grep -q 'allocating\|digraph' err && fail "level 2: $(cat err)"
PTX_SIM_DEBUG=3 run -m functional
for text in 'allocating 132 bytes on GPU starting at address 0x80000000' 'copying 132 bytes from GPU[0x80000000] to CPU[0x' 'setting 32768 bytes of memory to 0x0 starting at 0x80000'; do
	says 'level 3' "GPGPU-Sim PTX: $text" err
done
PTX_SIM_DEBUG_THREAD_UID=9999 PTX_SIM_DEBUG=50 run -m functional
says 'level 50' 'digraph "_Z6targetPi"' err
grep -q '^\.visible .entry' err && fail "level 50 prints the PTX"
PTX_SIM_DEBUG_THREAD_UID=9999 PTX_SIM_DEBUG=100 run -m functional
says 'level 100' '.visible .entry _Z6targetPi(' err

# figures of lines after each kernel; the preferred cache: 4096 bytes instead of 16384 for a kernel that reads 4 times 32 KB
small=(-o '-gpgpu_cache:dl1PreShared 4:128:4,L:L:m:N,A:32:8,8' -o '-gpgpu_shmem_size_PrefShared 49152')
misses() { "$WARPSTEP" --batch -n "${small[@]}" "$@" 2>&1 | sed -n 's/^L1D_total_cache_misses = //p'; }
plain=$(misses -o '-enable_ptx_file_line_stats 1' -ex run -ex 'stats L1D_total_cache_misses' --args ./p)
grep -q '^./gpgpusim.ptx [0-9]* : 256 ' gpgpu_inst_stats.txt || fail "figures of lines: $(head -3 gpgpu_inst_stats.txt)"
named=$(misses -o '-gpgpu_kernel_cache strided:shared' -ex run -ex 'stats L1D_total_cache_misses' --args ./p)
asked=$(misses -ex run -ex 'stats L1D_total_cache_misses' --args ./p 1)
[ "$asked" = "$named" ] && [ "$asked" -gt $((2 * plain)) ] || fail "the preferred cache: $plain misses, $asked asked for by the program, $named by the option"
[ "$(misses -ex run -ex 'stats L1D_total_cache_misses' --args ./p 2)" = "$plain" ] || fail "a preference that the configuration has nothing for"
exit $bad
