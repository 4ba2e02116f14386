# prompt
# args: scopes.ptx
# A variable of the source that is called as a space of memory comes before the space, where it is in scope. A watchpoint on a local ends with its activation
buffer out s32[4] = zero
break scopes.cu:21
run k<<<1, 1>>>(out)
print local[1]
print &local[1]
print *&local[3]
print local[0..2]
print shared[0..1]
print param[1].x
print param[1]
print global[2]
print sizeof(local[0])
print (f32)local[1]
print local[1] + const[0]
set var local[1] = 9
print local
set local[1] = 2
print global[0] * 2
watch local[3]
delete 2
break leaf
continue
# in leaf only the module's variable has such a name
print local[0]
print param[0]
print global[1]
next
next
watch inner[1]
watch n
watch out[1]
watch -location inner[0]
continue
continue
continue
continue
info watchpoints
delete
# outside of it nothing of the kernel's is left
launch other<<<1, 1>>>(out)
print local[0]
print shared[0]
