# Files of commands that the session begins with: the user's own and, if that allows it, the current folder's.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
cp "$ROOT/tests/golden/contract/vecadd.ptx" vecadd.ptx
bad() { echo "$1"; cat out err; exit 1; }
# WHAT, STATUS, what is printed, what standard error begins with ('' for nothing), then the arguments
gives() {
	local what=$1 status=$2 text=$3 error=$4
	shift 4
	"$WARPSTEP" -q --batch "$@" >out 2>err </dev/null
	[ $? = "$status" ] || bad "$what: status"
	[ "$(tr '\n' ' ' <out)" = "$text" ] || bad "$what: '$text' expected"
	if [ -z "$error" ]; then [ ! -s err ]; else [ "$(head -c ${#error} err)" = "$error" ]; fi || bad "$what: '$error' expected on standard error"
}
mkdir -m 700 home config project
export HOME=$PWD/home
unset XDG_CONFIG_HOME
home=$HOME/.config/warpstep/init
mkdir -p home/.config/warpstep config/warpstep
echo 'echo of config\n' >config/warpstep/init

gives 'no file' 0 'last ' '' -ex 'echo last\n'
# order: the home's, the file of the command line, the folder's, -ex
cat >"$home" <<'END'
# my own
set auto-load on
info functions
define twice
print 2 * $arg0
end
END
printf '%s\n' 'info functions' 'twice 21' >.warpstep
"$WARPSTEP" -q --batch -ex 'twice 4' vecadd.ptx >out 2>err </dev/null || bad "order: failed"
[ "$(grep -c vecadd out)" = 1 ] && [ "$(tail -n 2 out | tr '\n' ' ')" = '$1 = 42 $2 = 8 ' ] && [ ! -s err ] || bad "order"
gives '-nx' 0 'last ' '' -nx -ex 'echo last\n'
gives '-n' 0 'last ' '' -n -ex 'echo last\n'
echo 'echo here\n' >.warpstep
echo 'set auto-load on' >"$home"
gives 'both' 0 'here last ' '' -ex 'echo last\n'
gives 'show' 0 'here auto-load is "on": read .warpstep in the current folder when the session begins; set in ~/.config/warpstep/init ' '' -ex 'show auto-load'

# who may be read
XDG_CONFIG_HOME=$PWD/config gives 'XDG_CONFIG_HOME' 0 'of config ' "warning: .warpstep is not read: that wants \`set auto-load on\` in $PWD/config/warpstep/init; \`source .warpstep\` reads it now"
XDG_CONFIG_HOME=config gives 'a relative XDG_CONFIG_HOME counts for nothing' 0 'here ' ''
gives '-nh' 0 '' "warning: .warpstep is not read: that wants \`set auto-load on\` in $home; " -nh
chmod o+w .warpstep
gives 'others may write the file' 0 '' 'warning: .warpstep is not read: that wants that it is yours and nobody else may write it; '
chmod o-w .warpstep
before=$(stat -c %a .)
chmod o+w .
gives 'others may write in the folder' 0 '' 'warning: .warpstep is not read: that wants that its folder is yours and nobody else may write there; '
chmod "$before" .
ln -s .. project/up
printf '%s\n' 'set auto-load on' "set auto-load safe-path /nonexistent:$PWD/project/up" >"$home"
gives 'a safe path' 0 'here ' ''
printf '%s\n' 'set auto-load on' "set auto-load-safe-path $PWD/wor:$PWD/project" >"$home"
gives 'not in the safe path' 0 '' 'warning: .warpstep is not read: that wants its folder in `set auto-load-safe-path` in '
rm .warpstep
mkdir .warpstep
gives 'a folder of that name' 0 '' ''
rmdir .warpstep

# errors: with their place, to the end of the file, and not the status
cat >"$home" <<'END'
echo before\n

if 1
  nonsense
end
echo behind\n
END
gives 'an error' 0 'before last ' "error: $home:3: unknown command 'nonsense'" -ex 'echo last\n'
gives 'a later error has no place' 1 'before ' "error: $home:3: unknown command 'nonsense'" -ex 'nonsense'
[ "$(sed -n '2{s/;.*//;p}' err)" = "error: unknown command 'nonsense'" ] || bad "a later error has no place"
printf '.version 8.0\n.target sm_75\nnonsense\n' >bad.ptx
printf '%s\n' 'echo before\n' 'load bad.ptx' 'echo behind\n' >"$home"
gives 'an error of a file' 0 'before ' 'error: bad.ptx:3:'
grep -qxF "error: $home:2: this command failed" err || bad "the place of a load"
printf '%s\n' 'define x' 'echo x' >"$home"
gives 'a block without an end' 0 'last ' "error: $home:1: a block of commands ends here" -ex 'echo last\n'
# a file that ends the session; one without a newline at its end
printf 'echo bye\\n\nquit 4' >"$home"
gives 'quit' 4 'bye ' '' -ex 'echo last\n'
# WARPSTEP_ARGS
WARPSTEP_ARGS=-nx gives 'WARPSTEP_ARGS' 0 'last ' '' -ex 'echo last\n'
exit 0
