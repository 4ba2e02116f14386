# prompt
# Sources that have moved: rules of `set substitute-path`, in their order, for whole parts of the path
shell sed 's,\.file\t1 "[^"]*",.file\t1 "/build/src/first.cu",' calls.ptx >moved.tmp.ptx
load moved.tmp.ptx
list first.cu:1
show substitute-path
set substitute-path /build/sr .
set substitute-path /build/src/first.cu/ nowhere.cu
set substitute-path "/build/src/first.cu" 'calls.cu'
set substitute-path /build/src elsewhere
show substitute-path
show substitute-path /build/src/first.cu
show substitute-path /build/source
list first.cu:1,2
unset substitute-path /build/src/first.cu
unset substitute-path /build/src/first.cu
list first.cu:1,2
set substitute-path /build
set substitute-path "" x
unset substitute-path
show substitute-path
unset
shell rm moved.tmp.ptx
