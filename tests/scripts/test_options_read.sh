# No option is accepted and then ignored: each row of src/gpu/config/options.def is read by somebody, or its values that aren't modelled are refused
# (config/unmodelled.c), or docs/accuracy.md has it among the options without effect, with the reason; and that table has no others.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
cd "$ROOT" || exit 1
bad=0
complain() { echo "$*"; bad=1; }

# names in the sources: whole string literals, also such with %s in them
grep -rhoE '"[^" ]+"' src repl gdbstub --include='*.[ch]' --include=device_limits.def --exclude=unmodelled.c --exclude=without_effect.c --exclude=explain.c | tr -d '"' | sed 's/^-//' | sort -u >"$OLDPWD/literals"
grep -E '^[a-z_]{8,}%s(_[a-z_]+)?$' "$OLDPWD/literals" | sed 's/%s/[a-z]*/' >"$OLDPWD/patterns"
grep -ohE '"[^" ]+"' src/gpu/config/unmodelled.c | tr -d '"' >"$OLDPWD/refused"
# the table: names in backticks, with * and [a-b] as in file names
sed -n '/^## Options without effect/,/^## [^O]/p' docs/accuracy.md | awk -F'|' '/^[|]/ { print $2 }' | grep -oE '`-[^`]+`' | tr -d '`' | sed 's/^-//' >"$OLDPWD/idle"
cd "$OLDPWD" || exit 1
[ -s idle ] && [ -s patterns ] && [ -s refused ] || complain "nothing found: idle $(wc -l <idle), patterns $(wc -l <patterns), refused $(wc -l <refused)"

is_read() {
	local p
	grep -qxF -- "$1" literals && return 0
	while read -r p; do
		# shellcheck disable=SC2254 # a pattern
		case $1 in $p) return 0 ;; esac
	done <patterns
	return 1
}
is_idle() {
	local p
	while read -r p; do
		# shellcheck disable=SC2254 # a pattern
		case $1 in $p) echo "$p" >>matched; return 0 ;; esac
	done <idle
	return 1
}

# what the note at the start names is in the table
grep -ohE '^	[{]"[^" ]+"' "$ROOT/src/gpu/config/without_effect.c" | tr -d '{"	' >noted
[ "$(wc -l <noted)" -gt 10 ] || complain "nothing found: noted"
while read -r option; do is_idle "$option" || complain "docs/accuracy.md: -$option isn't among the options without effect"; done <noted

n=0
: >matched
while IFS= read -r option; do
	n=$((n + 1))
	if is_read "$option"; then
		# (a name with %s in it may stand for more options than are read)
		[ "$option" = keep ] && is_idle keep && continue # a word that tables of other things have, too
		is_idle "$option" && grep -qxF -- "$option" literals && complain "-$option is read, but docs/accuracy.md says that it has no effect"
	elif ! grep -qxF -- "$option" refused; then
		is_idle "$option" || complain "-$option is read by nobody and refused by nobody"
	fi
done < <("$WARPSTEP" -c tiny -q --batch -ex 'info config' | sed -n 's/^-\([^ ]*\) .*/\1/p')
[ $n -gt 200 ] || complain "$n options"
while read -r p; do
	grep -qxF -- "$p" matched || complain "docs/accuracy.md: no option without effect is called -$p"
done <idle
exit $bad
