# --isa: every level the processor has gives the examples' sessions letter by letter; one it lacks is refused with the reason.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
case $($CC -dumpmachine) in
x86_64*) ;;
*) echo "x86-64 only: elsewhere there is one level"; exit 77 ;;
esac
bad=0
has() { for f; do grep -qw "$f" flags || return 1; done; }
grep -m1 '^flags' /proc/cpuinfo >flags
levels=v2
has avx2 bmi2 fma && levels="$levels v3"
has avx2 bmi2 fma avx512f avx512bw avx512cd avx512dq avx512vl && levels="$levels v4"

for level in v2 v3 v4; do
	"$WARPSTEP" --isa $level --batch -ex 'echo started\n' >out 2>err
	status=$?
	case " $levels " in
	*" $level "*) [ $status = 0 ] && grep -qx started out || { echo "$level doesn't start:"; cat err; bad=1; } ;;
	*) [ $status = 2 ] && grep -q "^error: this processor can't run --isa '$level'" err || { echo "$level: status $status"; cat err; bad=1; } ;;
	esac
done

for example in "$ROOT"/examples/*/session.ws; do
	cd "${example%/*}" || exit 1
	name=$(basename "$PWD")
	for mode in functional performance; do
		for level in $levels; do
			"$WARPSTEP" --isa $level -m $mode --batch -x session.ws >"$OLDPWD/$name.$level" 2>&1
			cmp "$OLDPWD/$name.v2" "$OLDPWD/$name.$level" || { echo "$name, $mode: $level differs from v2"; bad=1; }
		done
	done
	cd "$OLDPWD" || exit 1
	[ "$(wc -l <"$name.v2")" -gt 5 ] || { echo "$name: no session"; bad=1; }
done
exit $bad
