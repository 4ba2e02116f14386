# Cycles and thread instructions of GPGPU-Sim 4.2's GTX 480 for the launches of tests/gpgpusim/v42.txt, exactly.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
cd "$ROOT/tests/gpgpusim" || exit 1
bad=0 n=0
while IFS= read -r line; do
	case $line in '#'* | '') continue ;; esac
	IFS=';' read -ra f <<<"$line"
	o=(-o '?-gpgpu_heap_guard 0' -o '-gpgpu_heap_start 0xC0000000' -o "-gpgpu_kernel_registers${f[3]}") commands=()
	IFS='|' read -ra options <<<"${f[4]# }"
	for option in "${options[@]}"; do [ -n "$option" ] && o+=(-o "$option"); done
	for c in "${f[@]:5}"; do commands+=(-ex "${c# }"); done
	got=$("$WARPSTEP" -m performance -c "$ROOT/configs/v42-gtx480/gpgpusim.config" -q --batch "${o[@]}" "${commands[@]}" 2>&1 |
		awk '$1 == "gpu_sim_cycle" { c += $3 } $1 == "gpu_sim_insn" { i += $3 } END { print c "; " i }')
	[ " $got" = "${f[1]};${f[2]}" ] || { echo "${f[0]}: expected${f[1]};${f[2]}, got $got"; bad=1; }
	n=$((n + 1))
done <v42.txt
[ "$n" = 52 ] || { echo "$n cases"; bad=1; }
exit $bad
