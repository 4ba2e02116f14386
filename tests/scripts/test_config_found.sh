# A gpgpusim.config of the current folder that -c doesn't name: it is a program's configuration (test_programs_alone.sh: by path alone, too), but the
# simulator writes no file because of it, and another user's file isn't used.
: "${WARPSTEP:?}" "${ROOT:?}"
status=0
bad() { echo "$*"; status=1; }
mkdir here && cd here || exit 2
cp "$ROOT"/configs/fermi-c2050/* .
cat >>gpgpusim.config <<'END'
-visualizer_enabled 1
-visualizer_outputfile visualizer.log.gz
-ptx_line_stats_filename lines.txt
-gpgpu_ptx_inst_debug_to_file 1
-gpgpu_ptx_inst_debug_file instructions.txt
-config more.config
END
echo '-ptx_line_stats_filename more.txt' >more.config
files=$(ls)
name=(-ex 'info config gpgpu_n_clusters')
shows() { # VALUE WHAT OPTION...
	"$WARPSTEP" --batch "${name[@]}" "${@:3}" >../err 2>&1 </dev/null
	grep -q "value: $1," ../err || bad "$2: not $1 clusters: $(cat ../err)"
	[ "$(ls)" = "$files" ] || bad "$2: new files: $(ls | tr '\n' ' ')"
}
shows 14 'a program' --args /bin/true
[ "$(head -1 ../err)" = 'note: ./gpgpusim.config is used' ] || bad "no note that it's used: $(cat ../err)"
for option in visualizer_outputfile ptx_line_stats_filename gpgpu_ptx_inst_debug_to_file gpgpu_ptx_inst_debug_file; do
	grep -q "note: gpgpusim.config:[0-9]*:1: -$option is ignored" ../err || bad "no note of -$option: $(cat ../err)"
done
grep -q "note: more.config:1:1: -ptx_line_stats_filename is ignored" ../err || bad "no note of an included file's option: $(cat ../err)"
# with -c it writes files, too
"$WARPSTEP" --batch -c ./gpgpusim.config --args /bin/true 2>../err </dev/null
[ -e instructions.txt ] && [ -e visualizer.log.gz ] || bad "-c ./gpgpusim.config writes no files: $(ls | tr '\n' ' ')"
grep -q note ../err && bad "notes with -c: $(cat ../err)"
rm -f instructions.txt visualizer.log.gz
shows 15 'another -c' -c fermi-gtx480 --args /bin/true
shows 15 'no program'
if [ "$(id -u)" = 0 ]; then
	chown 12345 gpgpusim.config
	shows 15 "another user's file" --args /bin/true
	grep -q '^note: ./gpgpusim.config is not used: it belongs to user 12345; `-c ./gpgpusim.config` uses it$' ../err || bad "another user's file: $(cat ../err)"
	"$WARPSTEP" --batch -c ./gpgpusim.config "${name[@]}" --args /bin/true >../err 2>&1 </dev/null
	grep -q 'value: 14,' ../err || bad "another user's file by name: $(cat ../err)"
fi
exit $status
