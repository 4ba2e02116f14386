# run: launch lanes<<<2,64>>>(A, 5)
generate-core-file
jump 60
call scale(1)
return
set var $pc = 0
tbreak 57
continue
set var $rsp = 0
print r8
call scale(1)
delete
continue
call scale(1)
print scale(1)
info threads
