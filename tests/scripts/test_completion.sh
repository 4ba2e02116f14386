# The bash completion offers options, modes, and PTX files only.
cd "$ROOT" || exit 1
complete_word() { # PREVIOUS CURRENT
	bash -c 'source docs/warpstep.bash; cd examples/01-saxpy; COMP_WORDS=(warpstep "$1" "$2"); COMP_CWORD=2; _warpstep 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}"' - "$1" "$2" | sort | tr '\n' ' '
}
[ "$(complete_word -m f)" = "functional " ] || { echo "mode"; exit 1; }
[ "$(complete_word -q --b)" = "--batch " ] || { echo "option"; exit 1; }
[ "$(complete_word -q '')" = "saxpy.ptx " ] || { echo "file"; exit 1; }
[ "$(complete_word -x '')" = "session.ws " ] || { echo "script"; exit 1; }
# names of configs come from where the program is, as when it looks for them itself: installed anywhere, or built
mkdir -p "$OLDPWD/opt/bin" "$OLDPWD/opt/share/warpstep/configs/elsewhere" "$OLDPWD/opt/share/warpstep/configs/another" || exit 1
cp /bin/true "$OLDPWD/opt/bin/warpstep"
complete_config() { # PROGRAM CURRENT
	bash -c 'source "$1/docs/warpstep.bash"; cd /; COMP_WORDS=("$2" -c "$3"); COMP_CWORD=2; _warpstep "$2" "$3" -c 2>/dev/null
		printf "%s\n" "${COMPREPLY[@]}"' - "$ROOT" "$1" "$2" | sort | tr '\n' ' '
}
[ "$(complete_config "$OLDPWD/opt/bin/warpstep" els)" = "elsewhere " ] || { echo "installed config"; exit 1; }
[ "$(PATH=$OLDPWD/opt/bin:$PATH complete_config warpstep ano)" = "another " ] || { echo "config of the program in PATH"; exit 1; }
