# A NUL byte in a command line is an error that names its column, wherever the line comes from; the next line is read as usual.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
check() { # WHAT WANTED GOT
	[ "$2" = "$3" ] && return
	printf '%s: expected\n%s\ngot\n%s\n' "$1" "$2" "$3"
	exit 1
}
bad() { echo "error: a NUL byte in column $1 of the line: command lines are text"; }

got=$(printf 'print 1\0 + 2\nprint 3\n' | "$WARPSTEP" -q -m functional 2>&1)
check prompt "$(bad 8; echo '$1 = 3')" "$got"
got=$(printf '\0\nprint 3\n' | "$WARPSTEP" -q -m functional 2>&1)
check "NUL alone" "$(bad 1; echo '$1 = 3')" "$got"
got=$(printf 'print 1 + \\\n2\0\n' | "$WARPSTEP" -q -m functional 2>&1)
check "continued line" "$(bad 12)" "$got"
got=$(printf 'print 1\0 + 2' | "$WARPSTEP" -q -m functional 2>&1)
check "last line without an end" "$(bad 8)" "$got"

printf 'print 4\nprint 1\0 + 2\nprint 5\n' >script.ws
got=$("$WARPSTEP" --batch -m functional -x script.ws 2>&1)
check "status of -x" 1 $?
check "-x" "$(echo '$1 = 4'; bad 8)" "$got"
got=$(printf 'source script.ws\nprint 6\n' | "$WARPSTEP" -q -m functional 2>&1)
check source "$(echo '$1 = 4'; bad 8; echo '$2 = 6')" "$got"
printf 'define two\nprint 2\0\nend\nprint 5\n' >block.ws
got=$("$WARPSTEP" --batch -m functional -x block.ws 2>&1)
check "status of a block" 1 $?
check block "$(bad 8)" "$got"

mkdir -p config/warpstep
printf 'print 7\n\nprint \0\n' >config/warpstep/init
got=$(XDG_CONFIG_HOME=$PWD/config "$WARPSTEP" -q --batch -m functional -ex 'print 8' 2>&1)
check "status with an init file" 0 $?
check "init file" "$(echo '$1 = 7'; bad 7 | sed "s,error: ,error: $PWD/config/warpstep/init:3: ,"; echo '$2 = 8')" "$got"
