# `$cycle` at a breakpoint is the cycle in which the instruction issues, also when one steps there: tests/gpgpusim/issue/cycles.txt holds
# GPGPU-Sim 3.2.2's issue cycles. And the kernel takes as long as it does without the stops.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
cd "$ROOT/tests/gpgpusim/issue" || exit 1
bad=0
check() { # NAME CONFIG HOW COMMAND...: cycles and places at which it stands, and the cycle at the end, against $want
	local name=$1 config=$2 how=$3 got
	shift 3
	got=$("$WARPSTEP" -m performance -c "$config" -q --batch -o '-gpgpu_kernel_registers k:16' -o '?-gpgpu_heap_guard 0' -ex "load $name.ptx" \
		-ex 'buffer p b8[1048576] = zero' "$@" 2>&1 | awk '
		/^(Breakpoint|Temporary breakpoint|Stepped) .*ptx:[0-9]+$/ && !/^Breakpoint [0-9]* at 0x/ { sub(/.*:/, ""); line = $0 }
		/^\[focus/ && line { sub(/.* cycle /, ""); sub(/\]/, ""); printf "%s:%s ", $0, line; line = "" }
		/^\$1 = / { print $3 }')
	[ "$got" = "$want" ] || { echo "$name, $config, $how:"; echo "  expected $want"; echo "  got      $got"; bad=1; }
}
while read -r name config cycles issue; do
	case $name in '#'*) continue ;; esac
	want="$issue $cycles"
	lines=$(tr ' ' '\n' <<<"$issue" | cut -d: -f2 | sort -un)
	n=$(wc -w <<<"$issue")
	breaks=() steps=() go=()
	for l in $lines; do breaks+=(-ex "break $l"); done
	for ((i = 0; i < n; i++)); do go+=(-ex continue) steps+=(-ex stepi); done
	first=$(cut -d' ' -f1 <<<"$issue" | cut -d: -f2)
	check "$name" "$config" breakpoints "${breaks[@]}" -ex 'launch k<<<1, 32>>>(p)' "${go[@]}" -ex continue -ex 'print $cycle'
	check "$name" "$config" stepi -ex "tbreak $first" -ex 'launch k<<<1, 32>>>(p)' -ex continue "${steps[@]:2}" -ex continue -ex 'print $cycle'
done <cycles.txt
exit $bad
