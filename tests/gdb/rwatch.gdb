# run: launch memory<<<1,32>>>(A)
rwatch limit
continue
info line
delete
awatch limit
info watchpoints
