# Config files as users bring them: a few options only, options nobody knows, files that don't fit together. A bad config ends with status 2
# before any command.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
cp "$ROOT/tests/golden/contract/vecadd.ptx" vecadd.ptx
bad() { echo "$1"; cat out err; exit 1; }
w() { "$WARPSTEP" --batch -q "$@" >out 2>err; }
go='run vecadd<<<2, 64>>>(A, A, A, 65)'

# an option alone makes a machine: the rest is GPGPU-Sim 3.2.2's defaults, the network a crossbar of 2 clusters and 8 partitions
echo '-gpgpu_n_clusters 2 # two' >small.config
w -c small.config vecadd.ptx -ex 'buffer A f32[65] = fill 1' -ex "$go" -ex 'assert A[64] == 2' -ex 'p $cycle' || bad "a config of one option"
[ "$(cat err)" = 'note: no -inter_config_file is given: the network is a crossbar of 10 nodes' ] || bad "no note about the network"
mkdir mesh # the default name of a network file
w -c small.config vecadd.ptx -ex "info config -gpgpu_n_clusters" || bad "a folder counts as a network file"
rmdir mesh
w -c small.config -m functional vecadd.ptx -ex 'info config -gpgpu_n_clusters' && [ ! -s err ] || bad "functional mode needs no network"
grep -qF 'value: 2, set by: small.config:1' out || bad "where the option was set"
# the same as with the network file that says so
sed 's/k = 27/k = 10/' "$ROOT/configs/fermi-gtx480/network.icnt" >ten.icnt
w -c small.config vecadd.ptx -ex 'buffer A f32[65] = fill 1' -ex "$go" -ex 'p $cycle' && small=$(sed -n 's/^\$1 = //p' out)
w -c small.config -o '-inter_config_file ten.icnt' vecadd.ptx -ex 'buffer A f32[65] = fill 1' -ex "$go" -ex 'p $cycle' || bad "a network file of 10 nodes"
[ -s err ] && bad "a note where the network is given"
[ "$(sed -n 's/^\$1 = //p' out)" = "$small" ] && [ -n "$small" ] || bad "other cycles than with the network's file"

# a folder of one's own, as GPGPU-Sim's configs are, with the network's file beside
mkdir -p mine/gtx
cp "$ROOT/configs/fermi-gtx480/"* mine/gtx
for name in mine/gtx "$PWD/mine/gtx" mine/gtx/ mine/gtx/gpgpusim.config; do
	w -c "$name" vecadd.ptx -ex 'info config -inter_config_file' || bad "-c $name"
	grep -q 'gtx/*/gpgpusim.config:[0-9]*$' out || bad "where -c $name was read"
done

# status 2, one line, and no command runs
refused() { # MESSAGE OPTION...
	local want=$1
	shift
	w "$@" vecadd.ptx -ex 'p 1'
	[ $? = 2 ] || bad "status of: $*"
	[ -s out ] && bad "a command ran after: $*"
	[ "$(head -1 err | sed 's,error: /.*/,error: ,')" = "error: $want" ] || bad "message of: $*"
}
refused "-inter_config_file: can't find 'nowhere'" -c small.config -o '-inter_config_file nowhere'
refused 'network.icnt:3:1: the network has 27 nodes (k = 27, n = 1), but there are 14 clusters and memory sub-partitions: k must be that number' \
	-o '-gpgpu_n_clusters 2'
refused "unknown option '-gpgpu_n_clustrs', the nearest known one is '-gpgpu_n_clusters'" -o '-gpgpu_n_clustrs 3'
refused "bad value 'abc' for -gpgpu_n_clusters, expected a whole number" -o '-gpgpu_n_clusters abc'
echo '-gpgpu_n_mems 8' >>small.config
refused "small.config:2:1: unknown option '-gpgpu_n_mems', the nearest known one is '-gpgpu_n_mem'" -c small.config
sed -i 's/^-gpgpu_n_mems/?&/' small.config
w -c small.config vecadd.ptx -ex 'p 1' || bad "an option after ?"
grep -qF 'note: small.config:2:1: option -gpgpu_n_mems is not known, skipped' err || bad "no note about an option after ?"

# values that would make another machine than the one modelled
while read -r option value; do
	w -o "-$option $value" -o '-gpgpu_max_insn_issue_per_warp 1' vecadd.ptx -ex 'p 1'
	[ $? = 2 ] && [ ! -s out ] || bad "-$option $value is not refused"
	grep -q "^error: -$option: '$value', but " err || bad "why -$option $value is refused"
done <<'END'
gpgpu_max_completed_cta 3
gpgpu_cdp_enabled 1
gpgpu_concurrent_kernel_sm 1
checkpoint_option 1
gpgpu_num_int_units 4
gpgpu_sub_core_model 1
gpgpu_reg_file_port_throughput 2
specialized_unit_1 1,4,4,4,4,BRA
gpgpu_adaptive_cache_config 1
gpgpu_mem_unit_ports 4
END
w -c v42-gtx480 -o '-gpgpu_max_insn_issue_per_warp 2' vecadd.ptx -ex 'p 1' && bad "4.x's dual issue is not refused"
w -c v42-gtx480 -o '-gpgpu_max_insn_issue_per_warp 2' -o '-gpgpu_dual_issue_diff_exec_units 0' vecadd.ptx -ex 'p 1' || bad "dual issue to any units"
# functional mode runs what doesn't need the machine
w -m functional -o '-gpgpu_sub_core_model 1' vecadd.ptx -ex 'p 1' || bad "a machine that functional mode doesn't need"

# -gpgpu_ptx_sim_mode chooses the mode where nobody else has: an instruction of a warp is a cycle then
mode() { # WANTED ARGUMENTS...
	local want=$1
	shift
	w "$@" vecadd.ptx -ex dp
	grep -q 'needs performance mode\|-m performance' err && got=functional || got=performance
	[ $got = "$want" ] || bad "$* is $got"
}
mode functional -o '-gpgpu_ptx_sim_mode 1'
mode performance -o '-gpgpu_ptx_sim_mode 0'
mode performance -m performance -o '-gpgpu_ptx_sim_mode 1'
PTX_SIM_MODE_FUNC=1 mode functional -o '-gpgpu_ptx_sim_mode 0'
PTX_SIM_MODE_FUNC=0 mode performance -o '-gpgpu_ptx_sim_mode 1'
