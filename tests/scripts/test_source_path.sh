# A CUDA source that lies elsewhere is found as soon as somebody says where, also after it was looked for in vain.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
bad() { echo "$1"; cat out; exit 1; }
mkdir -p elsewhere other
cp "$ROOT/tests/golden/debugger/inline.cu" elsewhere/moved.cu
sed 's/"inline\.cu"/"moved.cu"/' "$ROOT/tests/golden/debugger/inline.ptx" >moved.ptx
want=$(printf '6\t\treturn x * x + 7;')
"$WARPSTEP" -q moved.ptx >out 2>&1 <<'END'
list moved.cu:6,6
set source-path nowhere:elsewhere
list moved.cu:6,6
set source-path other
list moved.cu:6,6
END
[ "$(sed -n 1p out)" = "error: moved.cu: the source can't be read; \`set source-path DIR\` says where to look" ] || bad "found nowhere"
[ "$(sed -n 2p out)" = "$want" ] || bad "set source-path after a vain search"
[ "$(sed -n 3p out)" = "$want" ] || bad "what was read stays"
"$WARPSTEP" -q moved.ptx >out 2>&1 <<'END'
directory other
list moved.cu:6,6
directory elsewhere
list moved.cu:6,6
directory
END
[ "$(sed -n 1p out)" = 'Source directories searched: other' ] || bad "directory"
[ "$(sed -n 3p out)" = 'Source directories searched: elsewhere:other' ] || bad "directory again"
[ "$(sed -n 4p out)" = "$want" ] || bad "the source is in a directory named later"
[ "$(sed -n 5p out)" = 'Source directories searched: ' ] || bad "directory without one"
