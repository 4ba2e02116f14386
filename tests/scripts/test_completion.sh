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
