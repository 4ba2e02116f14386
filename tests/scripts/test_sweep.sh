# warpstep-sweep: 200 jobs under GNU parallel, and under Slurm, ten of which are killed; a sweep that is killed itself; what it refuses; its picture.
sweep=$BUILD/warpstep-sweep
[ -x "$sweep" ] || { echo "not built"; exit 77; }
command -v parallel >/dev/null || { echo "GNU parallel is not installed"; exit 77; }
fail() { echo "$*"; exit 1; }
is() { [ "$1" = "$2" ] || fail "$3: '$1', expected '$2'"; }
query() { # FILE SQL: prints the first row
	python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone(), sep="|")' "$@"
}

# ---- 200 jobs: ten kernels, twenty options. The jobs of the last option kill themselves, and what started them, at their first try.
cp "$ROOT/examples/01-saxpy/saxpy.ptx" . || exit 1
cat >kill.sh <<'END'
parent() { awk '$1 == "PPid:" { print $2 }' /proc/$1/status; }
p=$PPID
until tr '\0' ' ' </proc/$p/cmdline | grep -q '^[^ ]*warpstep --batch'; do p=$(parent $p); [ "$p" -gt 1 ] || exit 1; done
tr '\0' ' ' </proc/$p/cmdline | grep -q 'shmem_size 20480' || exit 0
tried=tried.$(md5sum </proc/$p/cmdline | cut -c1-16)
[ -e "$tried" ] && exit 0
touch "$tried"
kill -KILL "$(parent $p)" $p
END
kernels() { # n blocks store n * 32 - 5 elements
	local n
	for n in 1 2 3 4 5 6 7 8 9 10; do printf '%s saxpy<<<%d, 32>>>(%d, 2.0, x, y, z)' "${1:-|}" "$n" $((n * 32 - 5)); done | cut -c3-
}
cat >sweep.txt <<END
mode = functional # the numbers don't matter here
setup = shell sh kill.sh
setup = load saxpy.ptx
setup = buffer x f32[512] = iota
setup = buffer y f32[512] = fill 1
setup = buffer z f32[512] = zero

-gpgpu_shmem_size = $(seq -s ' | ' 1024 1024 20480)
kernel = $(kernels)
END

whole() { # FILE ENGINE...: the sweep with its ten killed jobs, then again
	local db=$1 killed=10 n
	"$sweep" run sweep.txt --db "$db" "${@:2}" >out 2>err
	is $? 1 "$db: status of a sweep with killed jobs"
	grep -q '^200 jobs: 190 done, 10 failed' out || fail "$db: $(cat out err)"
	is "$(grep -c "^job [0-9]* didn't end: cd .* && .*/warpstep .*shmem_size 20480'.*'run saxpy<<<[0-9]*, 32>>>([0-9]*, 2.0, x, y, z)'\$" out)" $killed "$db: jobs listed"
	is "$(query "$db" "SELECT count(*), count(DISTINCT job) FROM statistics WHERE name = 'gpu_sim_insn' AND launch IS NULL")" "190|190" "$db: results"
	"$sweep" status "$db" >out; is "$?: $(cat out)" "1: 200 jobs: 190 done, 0 failed, 10 not run or killed" "$db: status"
	n=$(query "$db" "SELECT sum(seconds) FROM jobs WHERE status = 0")
	"$sweep" run sweep.txt --db "$db" "${@:2}" >out 2>err; is "$?: $(cut -d, -f1,2 out); $(cat err)" "0: 200 jobs: 200 done, 0 failed; note: 190 of 200 jobs are done already" "$db: again"
	is "$(query "$db" "SELECT sum(seconds) FROM jobs JOIN options ON job = id WHERE name = '-gpgpu_shmem_size' AND value <> '20480'")" "$n" "$db: only the killed ones ran again"
	# a thread with an element executes 21 instructions in saxpy, the others of its warp 9: as a launch by hand
	is "$(query "$db" "SELECT count(*) FROM statistics WHERE launch = 0 AND kernel = 'saxpy' AND name = 'gpu_sim_insn'")" 200 "$db: launches"
	is "$(query "$db" "SELECT count(DISTINCT s.value), max(s.value) FROM statistics s JOIN options o ON s.job = o.job AND o.name = 'kernel' WHERE s.name = 'gpu_sim_insn' AND launch IS NULL AND o.value = 'saxpy<<<10, 32>>>(315, 2.0, x, y, z)'")" "1|$insn" "$db: values"
	is "$(find . -path "./$db.jobs/*" | wc -l)" 0 "$db: files left"
	rm -f tried.*
}
insn=$("$WARPSTEP" --batch -m functional -ex 'load saxpy.ptx' -ex 'buffer x f32[512] = iota' -ex 'buffer y f32[512] = fill 1' -ex 'buffer z f32[512] = zero' \
	-ex 'run saxpy<<<10, 32>>>(315, 2.0, x, y, z)' -ex 'stats gpu_sim_insn' | sed -n 's/^gpu_sim_insn = //p')
[ -n "$insn" ] || fail "no figure to compare with"
whole parallel.sqlite --parallel -j 4

# ---- a sweep that is killed: what its jobs left counts, and the next one does the rest
printf '%s\n' 'script = slow.ws' "-gpgpu_shmem_size = $(seq -s ' | ' 1024 1024 12288)" >slow.txt
printf '%s\n' 'load saxpy.ptx' 'buffer x f32[64] = iota' 'run saxpy<<<1, 32>>>(32, 2.0, x, x, x)' 'shell sleep 0.2' >slow.ws
setsid "$sweep" run slow.txt --db slow.sqlite -j 2 >/dev/null 2>&1 &
for _ in $(seq 100); do [ -e slow.sqlite ] && [ "$(query slow.sqlite 'SELECT count(*) FROM jobs WHERE status = 0' 2>/dev/null)" -ge 2 ] 2>/dev/null && break; sleep 0.1; done
kill -KILL -$! 2>/dev/null; wait 2>/dev/null
had=$(query slow.sqlite 'SELECT count(*) FROM jobs WHERE status = 0')
[ "$had" -ge 2 ] && [ "$had" -lt 12 ] || fail "killed sweep: $had jobs done"
"$sweep" run slow.txt --db slow.sqlite -j 4 >out 2>err; is "$?: $(cut -d, -f1,2 out)" "0: 12 jobs: 12 done, 0 failed" "after a killed sweep"
is "$(query slow.sqlite "SELECT count(*), count(DISTINCT job) FROM statistics WHERE name = 'gpu_sim_insn' AND launch = 0")" "12|12" "after a killed sweep: results"

# ---- two lines that advance together, a program's arguments and quotes; a job that fails, its output, and the command that repeats it
cat >fail.txt <<'END'
config = fermi-gtx480 | tiny
-gpgpu_scheduler = lrr | gto
zip config, -gpgpu_scheduler
setup = load saxpy.ptx
setup = buffer x f32[64] = iota
setup = print "a | b # c"
kernel = saxpy<<<1, 32>>>(32, 2.0, x, x, x) | saxpy<<<4, 32>>>(128, 2.0, x, x, x)
END
"$sweep" run fail.txt --db fail.sqlite --retry >out 2>err; is "$?: $(head -1 out | cut -d, -f1,2)" "1: 4 jobs: 2 done, 2 failed" "jobs that fail"
"$sweep" failures fail.sqlite >out; is $? 1 "failures"
is "$(grep -c '^job [0-9]*, status 3, on ' out)" 2 "failures: jobs"
grep -q '^    Invalid __global__ read of size 4 bytes by thread (0,0,0) in block (2,0,0)' out || fail "failures doesn't say what the job printed: $(cat out)"
again=$(sed -n 's/^    \(cd .*\)/\1/p' out | head -1)
(cd / && eval "$again" >/dev/null 2>&1); is $? 3 "the command that repeats a job"
is "$(query fail.sqlite "SELECT group_concat(value, ' ') FROM (SELECT value FROM options WHERE name IN ('config', '-gpgpu_scheduler') ORDER BY job, rowid)")" \
	"fermi-gtx480 lrr fermi-gtx480 lrr tiny gto tiny gto" "zip"
is "$(query fail.sqlite "SELECT count(*) FROM statistics JOIN jobs ON jobs.id = job WHERE status <> 0")" 0 "statistics of failed jobs"

# ---- export and pictures
"$sweep" export fail.sqlite --csv fail.csv || fail export
python3 - <<'END' || exit 1
import csv
rows = list(csv.DictReader(open('fail.csv')))
one = [r for r in rows if r['statistic'] == 'gpu_sim_insn' and r['launch'] == '0']
assert [(r['config'], r['-gpgpu_scheduler'], r['kernel']) for r in one] == [('fermi-gtx480', 'lrr', 'saxpy'), ('tiny', 'gto', 'saxpy')], one
assert one[0]['setup'] == 'load saxpy.ptx; buffer x f32[64] = iota; print "a | b # c"', one[0]
END
if command -v gnuplot >/dev/null; then
	"$sweep" plot parallel.sqlite gpu_sim_insn over gpgpu_shmem_size by kernel launch saxpy p.svg && "$sweep" plot fail.sqlite gpu_sim_cycle over config p.png || fail plot
	grep -q 'saxpy&lt;&lt;&lt;10, 32' p.svg && grep -q '>gpu_sim_insn<' p.svg || fail "the picture misses its words"
	is "$(head -c 8 p.png | od -An -tx1 | tr -d ' ')" 89504e470d0a1a0a "p.png"
fi
"$sweep" plot fail.sqlite gpu_sim_cycle over nothing p.svg 2>err; is "$?: $(cat err)" "1: error: the sweep has no option 'nothing'; it has config, -gpgpu_scheduler, setup, kernel" "plot"

# ---- the example: the table of lookup (16 KiB) fits into the largest cache and not into the smallest
cp "$ROOT/examples/sweep/kernels.ptx" . && sed -E '/^-gpgpu_cache/s/ [|] 8:.* [|]/ |/; /^-gpgpu_sch/s/ [|].*//' "$ROOT/examples/sweep/cache.txt" >cache.txt
"$sweep" run cache.txt --db cache.sqlite >out 2>&1; is "$?: $(cut -d, -f1,2 out)" "0: 4 jobs: 4 done, 0 failed" "example"
is "$(query cache.sqlite "SELECT max(value) > 5 * min(value) FROM statistics WHERE name = 'gpu_sim_cycle' AND kernel = 'lookup'")" 1 "example: cycles"

# ---- what is refused
refused() { # TEXT MESSAGE, or its beginning
	printf '%s\n' "$1" >bad.txt
	"$sweep" run bad.txt --db bad.sqlite >out 2>err; is "$?: $(head -1 err | cut -c-$((${#2} + 15)))" "2: error: bad.txt:$2" "refused"
	[ -e bad.sqlite ] && fail "a bad description left a file of results"
}
refused 'kernal = a' "1:1: 'kernal' is no name here; expected config, mode, setup, script, kernel, program or an option of the config (-NAME); did you mean 'kernel'?"
refused '-x = a | | b' "1:10: a value is missing; expected \`-x = VALUE | VALUE ...\`"
refused 'mode = functional | fast
script = a' "1:21: bad mode 'fast', expected 'functional' or 'performance'"
refused 'script = a
config = x | y | x' "2:18: the value 'x' stands twice"
refused 'script = a | b
config = x | y | z
zip script, config' "3:13: 'config' has 3 values and 'script' has 2; lines that are zipped have equally many"
refused 'script = a
zip script, mode' "2:13: 'mode' has no line above; expected the names of lines above, with commas between them"
refused 'mode = functional' "1:1: nothing is run; expected a line 'kernel', 'program' or 'script'"
refused 'script = a
-gpgpu_schedular = lrr' "2:20: unknown option '-gpgpu_schedular', "
"$sweep" run nothing.txt --db bad.sqlite >out 2>err; is "$?: $(cat err)" "2: error: nothing.txt: No such file or directory" "no description"
"$sweep" status saxpy.ptx 2>err; is "$?: $(cat err)" "1: error: saxpy.ptx: file is not a database; expected a file that \`warpstep-sweep run\` made" "no file of results"
"$sweep" run sweep.txt 2>/dev/null; is $? 2 "no --db"

# ---- Slurm, as Debian has it: one controller and two nodes on this machine
for program in munged slurmctld slurmd sbatch; do command -v $program >/dev/null || { echo "(Slurm isn't installed: its part was left out)"; exit 0; }; done
[ "$(id -u)" = 0 ] || { echo "(Slurm needs root here: its part was left out)"; exit 0; }
. "$ROOT/tests/lib/slurm" && slurm_start "$PWD/slurm" || { echo "(Slurm doesn't start here: its part was left out)"; exit 0; }
trap slurm_stop EXIT
whole slurm.sqlite --slurm --partition=all
