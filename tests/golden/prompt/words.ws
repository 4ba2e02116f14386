# prompt
# status: 7
# Commands that are misspelt, abbreviated, or have arguments they don't take.
nosuch
di
kill now
kill
dot
dot nosuch
history now
shell exit 3
shell kill -9 $$
shell yes | head -1
! true
gdbserver
quit now
quit 256
apropos
apropos mangled
apropos reconverge
stats --json -
stats --json /nowhere/at/all.json
load
load /nowhere/at/all.ptx
source /nowhere/at/all.ws
commands 9
print 1
end
assert 1 == 2
info nosuch
info cuda nosuch
help nosuch
help fma
help mma
help exit
help preparing
echo done\n
quit 7
print "not reached"
