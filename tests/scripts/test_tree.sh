# The tree holds only what belongs there: known folders, no paths of the machine it was written on, nothing built.
cd "$ROOT" || exit 1
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "not a git checkout"; exit 77; }
bad=0
complain() { echo "$1"; bad=1; }
extra=$(git ls-files | cut -d/ -f1 | sort -u | grep -vxE 'src|repl|gdbstub|host|ptx|configs|tests|macros|docs|bench|examples|\.ci|\.gitignore|\.clang-(format|tidy)|LICENSE|CONTRIBUTING\.md|README\.md|Makefile')
[ -z "$extra" ] || complain "unknown at the top: $extra"
paths=$(git grep -lE '/wo[r]k/|/ro[o]t/|/ho[m]e/[a-z]' -- . | head)
[ -z "$paths" ] || complain "paths of a machine in: $paths"
built=$(git ls-files | grep -vx 'tests/fuzz/corpus/fatbin/[a-z_]*\.fatbin' | grep -E '\.(o|a|d|so|gcda|gcno|cubin|fatbin)$')
[ -z "$built" ] || complain "built files: $built"
exit $bad
