# Every row of the lane files becomes vector loops: gcc's report must name the line of each, both loops of an operation row.
cd "$ROOT" || exit 1
case $("$CC" --version 2>/dev/null | head -1) in
*gcc* | *GCC*) ;;
*) echo "needs gcc, whose report it reads"; exit 77 ;;
esac
case $("$CC" -dumpmachine) in
x86_64*) ;;
*) echo "the lane files are vectorised for x86-64 only"; exit 77 ;;
esac
[ "$MODE" = release ] || { echo "the release build's flags only"; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
files='lanes_int lanes_logic lanes_bits lanes_div lanes_carry lanes_f32 lanes_f64 lanes_setp lanes_minmax lanes_cvt'
# no vector form exists: 64-bit integers to floats before v4, the high half of 64-bit products, fields of 64 bits
exempt='cvt_rn_f(32|64)_[us]64|m(ul|ad)_hi_[us]64|bf[ei]_[usb]64'
flags='-std=gnu17 -D_GNU_SOURCE -Isrc -I. -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math'

report() { # LEVEL FILE: lines with their number of vectorised loops. The build has kept gcc's report, unless ccache had the object.
	local kept=$BUILD/obj/src/exec/$2.$1.vec
	# shellcheck disable=SC2086
	if [ -s "$kept" ]; then
		cat "$kept"
	else
		"$CC" $flags -march=x86-64-"$1" -DLANES_LEVEL="$1" -fopt-info-vec-optimized -S -o /dev/null "src/exec/$2.c" 2>&1
	fi |
		awk -F: '/optimized: loop vectorized/ { n[$2]++ } END { for (l in n) print l, n[l] }' >"$work/$1.$2"
}
bad=0
for level in v3 v4; do
	for f in $files; do
		report $level "$f" || bad=1
		missing=$(awk -v exempt="$exempt" '
			FNR == NR { loops[$1] = $2; next }
			/^(LANES_OP|CVT(_IF|_TO_INT)?|SETP(_ORDER|_EQUAL|_FLOAT)?|MINMAX(_F32)?|LOGIC|SELP|CARRY_OP|MAD_CARRY|F32_OP|F64_OP|TESTP_ALL|PRMT_MODE)[0-9]*\(/ {
				wanted = /^LANES_OP/ ? 2 : 1
				if ($0 !~ exempt && loops[FNR] < wanted)
					print FILENAME ":" FNR ": " substr($0, 1, 90)
			}' "$work/$level.$f" "src/exec/$f.c")
		[ -z "$missing" ] || { echo "not vectorised for $level:"; echo "$missing"; bad=1; }
	done
done
exit $bad
