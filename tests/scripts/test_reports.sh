#!/bin/bash
# Public bug reports about kernels and debuggers, replayed on nvcc's PTX: tests/reports/cases, whose head says how a case is written.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
bad=0
fail() { echo "line $line: $folder/$file $*"; bad=1; }

replay() { # FILE: prints what the case's commands say
	(cd "$ROOT/tests/reports/$folder" && timeout $((30 * SLOWNESS)) "$WARPSTEP" --batch -n -q "${options[@]}" -x "$commands" "$1" 2>&1)
}
has() { [[ $got == *"${1//\\n/$'\n'}"* ]]; }

# Ends the case that was read.
over() {
	local text
	[ -n "$file" ] || return
	got=$(replay "$file")
	[ $? = "$status" ] || fail "status isn't $status: $got"
	for text in "${wanted[@]}"; do has "$text" || fail "has no '$text': $got"; done
	for text in "${unwanted[@]}"; do has "$text" && fail "has '$text': $got"; done
	[ -n "$twin" ] || return
	got=$(replay "$twin") || fail "twin $twin: status $?: $got"
	for text in '=========  ' '========= R' '========= I' '========= B' '========= U' 'CUDA Exception' 'Deadlock:'; do
		has "$text" && fail "twin $twin: '$text': $got"
	done
}

commands=$PWD/commands file=
n=0
while IFS= read -r text; do
	n=$((n + 1))
	case $text in
	'#'* | '') ;;
	'@ '*)
		over
		read -r _ folder file rest <<<"$text"
		read -ra options <<<"$rest"
		line=$n status=0 twin= wanted=() unwanted=()
		: >"$commands"
		;;
	'= '*) wanted+=("${text#= }") ;;
	'! '*) unwanted+=("${text#! }") ;;
	'status '*) status=${text#status } ;;
	'twin '*) twin=${text#twin } ;;
	*) printf '%s\n' "$text" >>"$commands" ;;
	esac
done <"$ROOT/tests/reports/cases"
over
exit $bad
