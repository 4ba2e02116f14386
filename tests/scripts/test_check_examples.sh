#!/bin/bash
# Each planted mistake of the examples is found by the checker that is for it, and by no other; the examples whose mistake is none of theirs have no findings.
# The mistakes are those of examples/README.md.
cd "$(dirname "$0")/../.." || exit 2
W=${WARPSTEP:-$PWD/build/${MODE:-release}/warpstep}
case $W in /*) ;; *) W=$PWD/$W ;; esac
bad=0
while read -r example kinds; do
	for mode in functional performance; do
		found=$(cd "examples/$example" && "$W" --batch -q -m $mode --check all --report /dev/stderr -x session.ws 2>&1 >/dev/null |
			sed -n 's/^ *"kind": "\(.*\)",$/\1/p' | sort -u | tr '\n' ' ')
		[ "$found" = "${kinds:+$kinds }" ] || { echo "$example, $mode: '$found', expected '$kinds'"; bad=1; }
	done
done <<'END'
01-saxpy out-of-bounds
02-block-sum read-write
03-scan divergent-barrier
04-histogram uninitialized-memory
05-row-sums misaligned
06-resample out-of-bounds
07-deposit
08-particles
09-tone-map
10-tree
11-panorama
END
exit $bad
