# A file that a command writes keeps its old content until the new one is complete: a full disk leaves it. --report says at once that its
# file can't be written, and the status is never 0 then.
: "${WARPSTEP:?}" "${ROOT:?}"
status=0
bad() { echo "$*"; status=1; }
kernel=$ROOT/tests/golden/check/mistakes.ptx
mkdir work && cd work || exit 2
echo before >../before

# COMMAND [OPTION]...: the command, which writes `f`, fails for want of room, and leaves the file and its folder as they were
kept() {
	local command=$1 got
	rm -rf folder && mkdir folder && cp ../before folder/f
	(cd folder && ulimit -f 1 && exec "$WARPSTEP" -q --batch "$kernel" "${@:2}" -ex "$command") >../out 2>../err
	got=$?
	[ $got = "${want:-1}" ] || bad "'$command' without room ends with status $got: $(cat ../err)"
	grep -q "^error: .*can't write 'f': File too large" ../err || bad "'$command' without room says: $(cat ../err)"
	cmp -s ../before folder/f || bad "'$command' without room has changed the file"
	[ "$(ls -A folder)" = f ] || bad "'$command' without room leaves $(ls -A folder | tr '\n' ' ')"
}
kept 'save A f' -ex 'buffer A b8[200000] = fill 65'
kept 'stats --json f'
for ((i = 0; i < 60; i++)); do breaks+=(-ex "break past if %ctaid.x == $i"); done
kept 'save breakpoints f' "${breaks[@]}"
# a line that is added: the file of suppressions has room for a part of it
printf '#%01000d\n' 0 >../before
want=3 kept 'check suppress 1' --check memory -ex 'set check-suppress f' -ex 'buffer x f32[200] = fill 1' -ex 'buffer z f32[200]' \
	-ex 'run past<<<4, 64>>>(z, x)'

# logs of a session: the visualizer's, and the file of instructions
rm -rf folder && mkdir folder
log() { # STATUS LIMIT OPTION...
	local got
	cp ../before folder/f
	(cd folder && ulimit -f "$2" && exec "$WARPSTEP" -m performance -q --batch "${@:3}" "$kernel" -ex 'buffer x f32[200] = fill 1' \
		-ex 'buffer z f32[200] = zero' -ex 'run past<<<3, 64>>>(z, x)') >../out 2>../err
	got=$?
	[ $got = "$1" ] || bad "log ${*:3}: status $got: $(cat ../out ../err)"
	[ "$(ls -A folder)" = f ] || bad "log ${*:3} leaves $(ls -A folder | tr '\n' ' ')"
}
samples=(-o '-gpgpu_runtime_stat 10' -o '-visualizer_enabled 1' -o '-visualizer_outputfile f')
instructions=(-o '-gpgpu_ptx_inst_debug_to_file 1' -o '-gpgpu_ptx_inst_debug_file f')
for what in samples instructions; do
	eval "options=(\"\${$what[@]}\")"
	log 1 1 "${options[@]}"
	cmp -s ../before folder/f || bad "the log of $what without room has changed the file"
	grep -q "^error: the .* can't be written any more; an earlier file is left as it was" ../err || bad "the log of $what without room says: $(cat ../err)"
	log 0 unlimited "${options[@]}"
	cmp -s ../before folder/f && bad "the log of $what isn't written"
done
# a session that is killed leaves the earlier file
cp ../before folder/f
(cd folder && exec "$WARPSTEP" -m performance -q --batch "${samples[@]}" "$kernel" -ex 'shell kill -9 $PPID') >../out 2>&1
cmp -s ../before folder/f || bad "a killed session has changed its log's file"

# a report of findings: nothing was wrong, yet the file isn't there
run=(-ex 'buffer o s32[64] = zero' -ex 'run gone<<<1, 64>>>(o, 40)')
report() { # STATUS WHAT OPTION...
	local got
	timeout 60 "$WARPSTEP" -q --batch --check race "$kernel" "${@:3}" >../out 2>../err
	got=$?
	[ $got = "$1" ] || bad "--report $2: status $got, not $1: $(cat ../out ../err)"
}
report 2 'in a folder that is missing' --report none/r.json "${run[@]}"
grep -q "^error: --report: can't write 'none/r.json': No such file" ../err || bad "--report in a missing folder says: $(cat ../err)"
[ -s ../out ] && bad "--report in a missing folder has run commands: $(cat ../out)"
report 2 'that is a folder' --report . "${run[@]}"
report 0 'that can be written' --report r.json "${run[@]}"
grep -q '"errors": 0' r.json || bad "--report: $(cat r.json)"
report 0 'to standard output' --report /dev/stdout "${run[@]}"
grep -q 'Kernel 0 gone finished' ../out && grep -q '"errors": 0' ../out || bad "--report /dev/stdout: $(cat ../out)"
mkdir gone
report 1 'whose folder is removed meanwhile' --report gone/r.json "${run[@]}" -ex 'shell rmdir gone'
report 1 'on a full device' --report /dev/full "${run[@]}"
printf 'print 1\n' | "$WARPSTEP" -q --check race --report /dev/full "$kernel" >../out 2>../err
[ $? = 1 ] || bad "--report on a full device without --batch: status 0: $(cat ../err)"
exit $status
