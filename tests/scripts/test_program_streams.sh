#!/bin/bash
# Streams, events and functions of programs: the order CUDA's manual gives them, in both modes; kernels of two streams at once in performance mode.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

build_static streams
build_shared streams 13

for program in streams-static streams-13; do
	for mode in functional performance; do
		is order 'function
callback 1 0
9 9
11111112
destroyed twice: 400
no stream: 400'
		is events 'flags 1, priority -2
never recorded: 0, time 400
not ready: 600 600
after the event
ready: 0 0
10
time passed
untimed: 400
destroyed: 400'
		is functions 'unlocking
locked
a call in a function: 800
freed: 1
pool keeps 12345'
		is threads '2020202
2020202
2020202
2020202'
	done
done
mode=performance
is overlap 'one after the other takes 2 times as long'
grep -q 'simulated time' "$DIR/err" || fail "times: $(cat "$DIR/err")"
exit $bad
