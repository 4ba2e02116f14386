# bash completion for warpstep
_warpstep() {
	local cur prev words cword
	if declare -F _init_completion >/dev/null; then
		_init_completion || return
	else
		cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	fi
	compopt -o filenames 2>/dev/null
	case $prev in
	-m | --mode)
		mapfile -t COMPREPLY < <(compgen -W 'performance functional' -- "$cur")
		return
		;;
	-c | --config)
		# where the program looks: here, and in the folders above itself
		local names='' dir d up=$(readlink -f -- "$(type -P -- "${1:-warpstep}")")
		local -a dirs=(configs)
		while [[ $up == */* && ${#dirs[@]} -lt 9 ]]; do
			up=${up%/*}
			dirs+=("$up/configs" "$up/share/warpstep/configs")
		done
		for dir in "${dirs[@]}"; do
			for d in "$dir"/*/; do
				[ -d "$d" ] && d=${d%/} && names+=" ${d##*/}"
			done
		done
		mapfile -t COMPREPLY < <(compgen -W "$names" -- "$cur"; compgen -f -- "$cur")
		return
		;;
	-x | --command)
		mapfile -t COMPREPLY < <(compgen -f -X '!*.ws' -- "$cur"; compgen -d -- "$cur")
		return
		;;
	-o | --option | -ex | -g | --gdb)
		return
		;;
	esac
	case $cur in
	-*)
		mapfile -t COMPREPLY < <(compgen -W '-c --config -m --mode -o --option -x --command -g --gdb -ex --batch --args --library-path -n --nx --nh -q --quiet
			--version -h --help' -- "$cur")
		;;
	*)
		mapfile -t COMPREPLY < <(compgen -f -X '!*.ptx' -- "$cur"; compgen -d -- "$cur")
		;;
	esac
}
complete -F _warpstep warpstep
