# Every code block of the manual is a compared session, commands that run, or fenced as what it is; its links lead somewhere. The commands between
# `<!-- commands: FOLDER OPTION... -->` and `<!-- end commands -->` all succeed.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
mkdir blocks
python3 "$ROOT/tests/scripts/manual_pages.py" "$ROOT" "$PWD/blocks" || bad=1
for from in blocks/*.from; do
	eval "set -- $(cat "$from")"
	folder=$1 script=$PWD/${from%.from}.ws
	shift
	mkdir -p "work/$folder"
	cp -r "$ROOT/$folder/." "work/$folder"
	(cd "work/$folder" && "$WARPSTEP" -q --batch "$@" -x "$script") >out 2>err ||
		{ echo "commands in $folder end with $?:"; cat "$script" out err; bad=1; }
done
exit ${bad:-0}
