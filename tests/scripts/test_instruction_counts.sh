# Thread and warp instructions of kernels as GPGPU-Sim counted them: divergence, reconvergence, guards, early exits, barriers.
# tests/gpgpusim/counts.txt holds its numbers.
[ -x "$WARPSTEP" ] || { echo "there is no program yet"; exit 77; }
cd "$ROOT/tests/gpgpusim" || exit 1
bad=0
while IFS= read -r line; do
	case $line in '#'* | '') continue ;; esac
	IFS=';' read -ra f <<<"$line"
	commands=()
	for c in "${f[@]:3}"; do commands+=(-ex "${c# }"); done
	got=$("$WARPSTEP" -m functional -q --batch "${commands[@]}" -ex 'stats gpu_tot_sim_insn' -ex 'stats gpgpu_n_tot_w_icount' 2>&1 |
		awk '$1 == "gpu_tot_sim_insn" { i = $3 } $1 == "gpgpu_n_tot_w_icount" { w = $3 } END { print i "; " w }')
	[ " $got" = "${f[1]};${f[2]}" ] || { echo "${f[0]}: expected${f[1]};${f[2]}, got $got"; bad=1; }
done <counts.txt
exit $bad
