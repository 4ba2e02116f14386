#!/bin/bash
# Public bug reports that need a whole program (tests/reports): registers and stacks as ptxas counted them, launches and allocations of findings, orders of execution,
# a kernel compiled at run time, exit statuses. Several programs are one unit, each in a namespace: nvcc's time counts.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "nvcc is not installed"; exit 77; }
. "$ROOT/tests/lib/programs"
reports=$ROOT/tests/reports
cd "$DIR" || exit 1
says() { grep -qF -- "$1" out || fail "$what: no '$1' in $(cat out)"; }
hasnt() { grep -qF -- "$1" out && fail "$what: '$1' in $(cat out)"; }
run() { # PROGRAM ARG... -- OPTION...
	local program=()
	while [ "$1" != -- ]; do program+=("$1"); shift; done
	shift
	timeout $((60 * SLOWNESS)) "$WARPSTEP" -q --batch -n -m functional "$@" --args "${program[@]}" >out 2>&1
	status=$?
}

{
	for header in cstdio cstdlib cstring vector cuda_runtime.h; do echo "#include <$header>"; done
	for pair in findings:s12-finding-without-launch/c58.cu schedule:s20-schedule-in-program/c02.cu stack:s09-default-stack/c60.cu exits:../debugger/09-commands/ec.cu; do
		echo "namespace ${pair%%:*} {"
		echo "#include \"$reports/kernels/${pair#*:}\""
		echo "}"
	done
	echo 'int main(int n, char **v)'
	echo '{'
	echo 'if (!strcmp(v[1], "findings")) return findings::main();'
	echo 'if (!strcmp(v[1], "schedule")) return schedule::main();'
	echo 'if (!strcmp(v[1], "stack")) return stack::main(n - 1, v + 1);'
	echo 'return exits::main(n - 1, v + 1);'
	echo '}'
} >all.cu
"$NVCC" -arch=sm_75 -lineinfo -g -o all all.cu 2>err || { cat err; exit 1; }
"$NVCC" -arch=sm_75 -lineinfo -g -o registers "$reports/kernels/s08-registers/c13.cu" 2>err || { cat err; exit 1; }

what='registers as ptxas has counted them'
run ./registers -- -ex run
says 'registers 128, at most 512 threads'
says 'API cudaGetLastError(): too many resources requested for launch'
says 'note: the launch of poly from c13.cu:34 was refused: 1024 threads in a block, the kernel (128 registers a thread) takes 512'

what='a finding names launch and allocation'
run ./all findings -- --check memory -ex run
[ $status = 3 ] || fail "$what: status $status"
says 'is 0 bytes after allocation alloc_3'
says 'allocated by findings::main() at c58.cu:8'
says 'addOne, launched from c58.cu:11'
run ./all findings -- --check memory --report r.json -ex run
grep -q '"c58.cu"' r.json || fail "$what: --report has no line of the launch: $(cat r.json)"

what='the stack that a program is told of'
run ./all stack 20 -- -ex run
says 'stack limit 1024'
says 'RESULT OK'
run ./all stack 500 -- -ex run
[ $status = 3 ] || fail "$what: status $status"
says 'CUDA Exception: Lane User Stack Overflow'
run ./all stack 500 65536 -- -ex run
says 'RESULT OK'

what='orders of execution'
run ./all schedule -- -ex run -ex 'schedule fuzz 3'
[ $status = 1 ] || fail "$what: status $status"
says "error: a program's launches can't be repeated: what the program did before them isn't undone."
hasnt 'nothing was launched yet'

what='exit statuses'
run ./all exits 3 -- -ex run -ex 'print $_exitcode' -ex 'print $_exitsignal'
says '$1 = 3'
says '$2 = void'
run ./all exits a -- -ex run -ex 'print $_exitcode' -ex 'print $_exitsignal'
says '$1 = 134'
says '$2 = 6'

if command -v gdb >/dev/null; then
	what="exit statuses in gdb with warpstep's macros"
	for pair in 3:3:void a:134:6; do
		IFS=: read -r argument code signal <<<"$pair"
		timeout 60 gdb -q -nx -batch -iex 'set debuginfod enabled off' -x "$ROOT/macros/warpstep.py" -ex "target remote | '$WARPSTEP' -m functional -q -g - --batch --args ./all exits $argument" \
			-ex continue -ex 'print $_exitcode' -ex 'print $_exitsignal' >out 2>&1 </dev/null
		says "\$1 = $code"
		says "\$2 = $signal"
		says 'in host ()'
	done
fi

what='a kernel compiled at run time'
cuda=$(dirname "$(dirname "$(readlink -f "$NVCC")")")
if ls "$cuda"/lib64/libnvrtc.so >/dev/null 2>&1; then
	g++ -x c++ -w -o nv "$reports/debugger/02-nvrtc/nv.cu" -I"$cuda/include" -L"$cuda/lib64" -L"$cuda/lib64/stubs" -lnvrtc -lcuda -Wl,-rpath="$cuda/lib64" || exit 1
	run ./nv --
	says '2 3.5 21.5'
	[ "$(grep -c . out)" = 2 ] || fail "$what: $(cat out)"
fi
exit $bad
