# Every statistic that GPGPU-Sim 3.2.2 printed for the launches of tests/gpgpusim/v322/{expected,more,apps}.txt, exactly; and that idle cores sleep
# (-gpgpu_idle_skip) changes nothing of the whole printout.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
work=$PWD
cd "$ROOT/tests/gpgpusim/v322" || exit 1

launch() { # CONFIG FILE RUN OPTIONS... [ID SKIP]
	local config=$1 file=$2 run=$3 o=()
	shift 3
	for option; do [ -n "$option" ] && o+=(-o "$option"); done
	"$WARPSTEP" -m performance -c "$config" -q --batch -o '-gpgpu_kernel_registers k:16' -o '?-gpgpu_heap_guard 0' "${o[@]}" -ex "load $file" \
		-ex 'buffer p b8[1048576] = zero' -ex "$run" -ex stats
}

bad=0 n=0
check() { # compares $work/out with $work/wanted
	n=$((n + 1))
	launch "$config" "$file" "$run" "${options[@]}" >"$work/out" 2>&1 || { echo "$name, $config: exit status $?"; cat "$work/out"; bad=1; return; }
	launch "$config" "$file" "$run" "${options[@]}" '-gpgpu_idle_skip 0' >"$work/awake" 2>&1
	cmp -s "$work/out" "$work/awake" || { echo "$name, $config: -gpgpu_idle_skip changes"; diff "$work/out" "$work/awake" | head -6; bad=1; }
	awk '
	FNR == NR { for (i = 1; i <= NF; i++) { at = match($i, /=[^=]*$/); want[substr($i, 1, at - 1)] = substr($i, at + 1) } next }
	/^[ \t]*[A-Za-z_][][A-Za-z0-9_]*[ \t]*=[ \t]*[-+.0-9e]+[ \t]*$/ { s = $0; gsub(/[ \t]/, "", s); at = index(s, "="); got[substr(s, 1, at - 1)] = substr(s, at + 1) }
	/^Stall:/ { for (i = 1; i <= NF; i++) { split($i, f, ":"); got[f[1]] = f[2] } }
	/ n_act=/ { for (i = 1; i <= NF; i++) if ($i ~ /^n_/) { split($i, f, "="); got[f[1]] += f[2] } }
	END { for (name in want) if (got[name] != want[name]) { print "  " name " = " got[name] ", expected " want[name]; bad = 1 } exit bad }
	' "$work/wanted" "$work/out" >"$work/differ" || { echo "$name, $config, $run, ${options[*]}:"; sort "$work/differ"; bad=1; }
}

name=
while IFS= read -r line; do
	case $line in
	'#'* | '') continue ;;
	'= '*)
		[ -n "$name" ] && check
		IFS=';' read -r name config file run rest <<<"${line#= }"
		config=${config# } file=${file# } run=${run# } rest=${rest# }
		IFS='|' read -ra options <<<"$rest"
		for i in "${!options[@]}"; do options[i]=$(sed 's/^ *//; s/ *$//' <<<"${options[i]}"); done
		: >"$work/wanted"
		;;
	*) echo "$line" >>"$work/wanted" ;;
	esac
done < <(cat expected.txt; echo; cat more.txt; echo; cat apps.txt)
check
[ "$n" = 77 ] || { echo "$n cases"; bad=1; }
exit $bad
