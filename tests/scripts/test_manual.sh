# The manual's reference is what the program's tables say, and has a section with an example for every command.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
"$ROOT/tests/tools/manual" "$WARPSTEP" "$PWD/reference" || exit 1
bad=0
diff -ru "$ROOT/docs/manual/reference" reference || { echo "docs/manual/reference is of another program: run 'make manual' and commit it"; bad=1; }
for name in $("$WARPSTEP" --batch -ex help | sed -nE 's/^  ([a-z][a-z0-9-]*) .*/\1/p'); do
	awk -v n="## $name" '$0 == n { on = 1; next } /^## / { on = 0 } on' reference/commands.md >section
	grep -q . section || { echo "no section for $name"; bad=1; continue; }
	grep -q '^Examples\?:' section || { echo "no example for $name"; bad=1; }
done
exit $bad
