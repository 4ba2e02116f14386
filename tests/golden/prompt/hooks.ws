# prompt
# args: ../debugger/inline.ptx
# gdb's hooks: defined commands that run before and after others, and before a stop is shown; $errorpc
buffer out s32[8] = zero
define hook-stop
echo [stop]\n
print $pc
end
define hook-print
echo (
end
define hookpost-print
echo )\n
end
define hook-echo
print 1
end
break inline.cu:23
commands
echo commands\n
print r1
end
print 5
run frames<<<1, 8>>>(out)
print $errorpc
delete
define hook-stop
end
run frames<<<1, 32>>>(out)
print $errorpc == $pc
x/i $errorpc
info symbol $errorpc
kill
print $errorpc
