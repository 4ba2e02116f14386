# The generated reference has a section with an example for every command of the tables.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
"$ROOT/tests/tools/manual" "$WARPSTEP" "$PWD/manual" >/dev/null || exit 1
bad=0
for name in $("$WARPSTEP" --batch -ex help | sed -nE 's/^  ([a-z][a-z0-9-]*) .*/\1/p'); do
	awk -v n="## $name" '$0 == n { on = 1; next } /^## / { on = 0 } on' manual/commands.md >section
	grep -q . section || { echo "no section for $name"; bad=1; continue; }
	grep -q '^Examples\?:' section || { echo "no example for $name"; bad=1; }
done
for f in settings options statistics; do
	[ "$(wc -l <manual/$f.md)" -gt 8 ] || { echo "$f.md is empty"; bad=1; }
done
exit $bad
