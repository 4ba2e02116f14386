#!/bin/bash
# Findings of checkers in programs: launch, allocation and user's line, in optimised host code and in debug builds of kernels.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "nvcc is not installed"; exit 77; }
cd "$ROOT/tests/programs/nvcc" || exit 1
. "$ROOT/tests/lib/programs"
"$NVCC" -arch=sm_75 -w -O2 -g -lineinfo -o "$DIR/findings" findings.cu || exit 1
"$NVCC" -arch=sm_75 -w -g -G -o "$DIR/findings-debug" findings.cu || exit 1
line_of() { grep -n -F "$1" findings.cu | sed -n "${2:-1}s/:.*//p"; }
run() { "$WARPSTEP" -q -m functional --batch --check "$1" --report "$DIR/r.json" "${@:4}" --args "$DIR/$2" "$3" >"$DIR/out" 2>"$DIR/err"; }
has() { grep -qF -- "$1" "$DIR/err" || fail "no '$1': $(cat "$DIR/err")"; }
lacks() { ! grep -qE -- "$1" "$DIR/err" || fail "'$1': $(cat "$DIR/err")"; }
json() { python3 -c "import json, sys; f = json.load(open('$DIR/r.json'))['findings']; sys.exit(not ($1))" || fail "not $1: $(cat "$DIR/r.json")"; }

for program in findings findings-debug; do
	run memory $program which_launch
	has "allocated by which_launch() at findings.cu:$(line_of 'cudaMalloc(&b, 400)')"
	has "in kernel 2 add_one, launched from findings.cu:$(line_of 'add_one<<<1, 128>>>(b, 100)')"
	json "f[0]['access']['launch'] == 2 and f[0]['access']['launched_from'] == {'file': 'findings.cu', 'line': $(line_of 'add_one<<<1, 128>>>(b, 100)')} and f[0]['allocation']['name'] == 'alloc_2' and f[0]['allocation']['made_by'].endswith('findings.cu:$(line_of 'cudaMalloc(&b, 400)')')"
	run memory $program use_after_free
	has "at findings.cu:$(line_of 'cudaFree(a)')"
	json "f[0]['kind'] == 'use-after-free' and f[0]['allocation']['freed_by'].endswith('findings.cu:$(line_of 'cudaFree(a)')')"
	run init $program copied_element
	has 'first found in alloc_2[64]'
	lacks 'bytes (before|after)'
	run sync $program toolkit_line
	json "f[0]['access']['source'] == {'file': 'findings.cu', 'line': $(line_of '__shfl_down_sync')}"
done
has "called from sub_sum at findings.cu:$(line_of '__shfl_down_sync')"
# debug builds: findings and why name the variable of the source; parameters passed by a call count as one level
"$WARPSTEP" -q -m functional --check init -ex run -ex 'why sum 5' -ex quit --args "$DIR/findings-debug" unset_variable >"$DIR/err" 2>&1
grep -qE '^Checker init: Uninitialized register sum \(%f[0-9]+\) used for a branch at ' "$DIR/err" || fail "variable: $(cat "$DIR/err")"
grep -qE '^sum \(%f[0-9]+\) = 0 at ' "$DIR/err" && grep -qE '^ +r \(%f[0-9]+\) = 0 at ' "$DIR/err" || fail "why sum: $(cat "$DIR/err")"
# find-nan where the program has freed everything, and where only a register or printf had the value
nan() { "$WARPSTEP" -q -m functional -ex run -ex find-nan -ex 'find-nan alloc_1' "${@:2}" -ex quit --args "$DIR/findings" "$1" >"$DIR/err" 2>&1; }
nan nan_freed -ex 'info allocations' -ex 'who-wrote ((f32*)alloc_1)[5]' -ex 'info allocations --json -'
within=$(sed -n '/^static void nan_freed/,/^}/{=;p}' findings.cu | grep -B1 -E 'cudaMalloc|cudaFree' | grep -E '^[0-9]+$' | tr '\n' ' ')
made="nan_freed\(\) at findings.cu:${within%% *}" freed=$(echo $within | sed 's/.* /nan_freed\\(\\) at findings.cu:/')
grep -qE "^ +0x[0-9a-f]+ +128 freed alloc_1 +$made +$freed\$" "$DIR/err" || fail "allocations: $(cat "$DIR/err")"
grep -qE "^\(\(f32\*\)alloc_1\)\[5\] was written by thread uid 6 .* \(freed\), made by $made, freed by $freed\$" "$DIR/err" || fail "who-wrote: $(cat "$DIR/err")"
grep -qE "\"made_by\": \"$made\"" "$DIR/err" && grep -qE "\"freed_by\": \"$freed\"" "$DIR/err" || fail "allocations as data: $(cat "$DIR/err")"
has 'The program has freed its memory; what it freed last is looked at.'
has '((f32*)alloc_1)[5]: NaN was born at findings.ptx:'
has 'alloc_1 was freed; its last bytes are looked at.'
nan nan_register
grep -qE "^%f[0-9]+: infinity was born at findings.ptx:[0-9]+ \(findings.cu:$(line_of 'only in a register')\) mul.f32" "$DIR/err" || fail "registers: $(cat "$DIR/err")"
has 'No NaN and no infinity in alloc_1.'
nan nan_printed
grep -qE "^%f[0-9]+: infinity was born at findings.ptx:[0-9]+ \(findings.cu:$(line_of 'only printed')\)" "$DIR/err" || fail "printed: $(cat "$DIR/err")"
# memory of a pool against kernels of streams that nothing orders with it, whatever ran first
"$NVCC" -arch=sm_75 -w -O2 -g -lineinfo -o "$DIR/pool" pool.cu || exit 1
pool() { # CASE [fix]
	"$WARPSTEP" -q -m functional --batch --check race --report "$DIR/r.json" --args "$DIR/pool" "$@" >"$DIR/out" 2>"$DIR/err"
}
pool free
json "any(f['access']['op'] == 'free' and f['other'].get('uid') for f in f) and any(f['access']['op'] == 'free' and f['other']['op'] == 'host-write' for f in f)"
has 'by a cudaFreeAsync (stream 2), called by main at pool.cu:'
pool malloc
json "any(f['other']['op'] == 'host-write' and f['access'].get('uid') for f in f) and any(f['access']['op'] == 'free' and f['other'].get('uid') for f in f)"
has 'by a cudaMallocAsync (stream 1), called by main at pool.cu:'
for case in reuse one 'free fix' 'malloc fix'; do
	pool $case
	has 'ERROR SUMMARY: 0 errors'
done
# registers as ptxas has counted them decide launches: 701 for more threads than there is room for
regs=$("$NVCC" -arch=sm_75 -w -O2 -g -lineinfo -cubin -Xptxas -v -o /dev/null findings.cu 2>&1 | grep -A2 'for .*poly' | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p')
threads=$((65536 / ((regs + 7) / 8 * 8 * 32) * 32))
run memory findings registers
[ "$(cat "$DIR/out")" = "$regs registers, $threads threads: 0, then 701" ] || fail "registers: $(cat "$DIR/out" "$DIR/err"), ptxas says $regs"
# the limit of the stack that the program is told holds, with the frames that ptxas has given: 1024 bytes
frame=$("$NVCC" -arch=sm_75 -w -O2 -g -lineinfo -cubin -Xptxas -v -o /dev/null findings.cu 2>&1 | grep -A1 'properties for .*nestii' | sed -n 's/ *\([0-9]*\) bytes stack frame.*/\1/p')
deepest() { # LEVELS RESULT OPTION...
	"$WARPSTEP" -q -m functional --batch "${@:3}" --args "$DIR/findings" stack "$1" >"$DIR/out" 2>"$DIR/err"
	[ "$(cat "$DIR/out")" = "$2" ] || fail "stack $1: $(cat "$DIR/out" "$DIR/err"), ptxas says $frame a frame"
}
deepest $((1024 / frame)) '1024: 0'
deepest $((1024 / frame + 1)) '1024: 719'
has "nest(int, int) takes the stack to $(((1024 / frame + 1) * frame)) bytes, the limit is 1024 (cudaLimitStackSize)"
deepest -$((4096 / frame)) '4096: 0'
deepest -$((4096 / frame + 1)) '4096: 719'
deepest $((1024 / frame + 1)) '2048: 0' -o '-gpgpu_stack_size_limit 2048'
"$NVCC" -gencode arch=compute_75,code=compute_75 -w -O2 -o "$DIR/findings" findings.cu || exit 1
# the count of registers is an estimate, too, which refuses nothing and is said
"$WARPSTEP" -q -m functional --batch --args "$DIR/findings" registers >"$DIR/out" 2>"$DIR/err"
has 'registers a thread by an estimate'
deepest 20 '1024: 0'
deepest 2000 '1024: 719'
has 'bytes by an estimate without machine code, the limit is 1024'
exit $bad
