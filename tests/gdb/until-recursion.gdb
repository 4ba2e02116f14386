# run: launch sums<<<1,32>>>(A)
# until's two breakpoints are at instructions that follow each other: over the first one gdb steps a single lane, which hits the second. It
# is to hear of that lane (of another one gdb 13 dies), and then of the others. A program for the CPU stops at the same places.
tbreak triangle
continue
advance triangle
backtrace
until 34
backtrace
up
until 34
backtrace
nexti
