# An installed copy is complete and runs from anywhere.
[ -x "$BUILD/warpstep" ] && [ "$MODE" = release ] || { echo "release program only"; exit 77; }
dest=$PWD/dest
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$ROOT" install DESTDIR="$dest" PREFIX=/opt/ws MODE="$MODE" >/dev/null || exit 1
for f in bin/warpstep share/man/man1/warpstep.1 bin/warpstep-sweep share/man/man1/warpstep-sweep.1 share/bash-completion/completions/warpstep \
	share/warpstep/examples/01-saxpy/saxpy.ptx share/warpstep/manual/README.md; do
	[ -f "$dest/opt/ws/$f" ] || { echo "not installed: $f"; exit 1; }
done
for page in "$dest"/opt/ws/share/warpstep/manual/*.md "$dest"/opt/ws/share/warpstep/manual/reference/*.md; do
	grep -oE '\]\([^)# ]+' "$page" | grep -v '(https\?:' | sort -u | while read -r link; do
		[ -e "$(dirname "$page")/${link#](}" ] || echo "$page: leads nowhere: $link"
	done
done >links
[ ! -s links ] || { cat links; exit 1; }
cd "$dest/opt/ws/share/warpstep/examples/01-saxpy" || exit 1
"$dest/opt/ws/bin/warpstep" --batch -ex 'load saxpy.ptx' || exit 1
