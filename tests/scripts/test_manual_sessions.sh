# What the manual tells its reader to type works as it says: the script that tests a kernel, and its sessions.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
cp "$ROOT"/examples/01-saxpy/saxpy.* . || exit 1
. "$ROOT/tests/lib/sessions"
manual=$ROOT/docs/manual
bad=0
run() { # STATUS FILE: the commands of FILE, typed without a pause
	"$WARPSTEP" -q --batch -x "$2" >out 2>err
	local got=$?
	[ $got = "$1" ] || { echo "$2 ends with $got, not $1:"; cat "$2" out err; bad=1; }
}

# i <= n becomes i < n: the branch around the store is taken for i >= n
awk '/^So a script/ { on = 1 } /^## / { on = 0 } on && /^```/ { code = !code; next } on && code' "$manual/scripts.md" >script.ws
[ "$(wc -l <script.ws)" -ge 7 ] || { echo "scripts.md has no script"; bad=1; }
: >expected.bin
run 3 script.ws
sed -i 's/setp\.gt\.s32/setp.ge.s32/' saxpy.ptx
sed '/^compare/,$d' script.ws >make.ws
echo 'save z expected.bin' >>make.ws
run 0 make.ws
run 0 script.ws

# sessions between markers, as README's
for page in "$manual"/*.md; do
	grep -q '^<!-- session:' "$page" || continue
	sessions "$page" || bad=1
done

# what a class looks at fits on a screen of 80 columns and 24 lines; a stop's place may be wider, and a terminal breaks it
awk '/^<!-- session:/ { on = 1; next } /^```/ { next } !on { next }
	function judge() { if (lines > 24) { print "more than a screen: " command; bad = 1 } lines = 0; command = "" }
	/^<!-- end session/ { judge(); on = 0; next }
	/^\(warpstep\) / { judge(); if (/\) (diagram|info|list|stats|print) /) { command = $0; n++ } }
	command != "" { lines++; gsub(/\t/, "        "); if (length > 80) { print "too wide: " $0; bad = 1 } }
	END { if (n < 20) print "classroom.md has no lessons"; exit bad || n < 20 }' "$manual/classroom.md" || bad=1
exit $bad
