# kernel: namespaces-rdc.ptx
# run: set source cuda
# run: launch namespaces<<<1,32>>>(A)
# with -rdc=true what is static has still other names in PTX
print geo::origin
print origin
print _ZN3geo6originE
print geo::deep::level
print level
print hidden
print plain
print factors
print zero<int>
ptype geo::origin
ptype geo::point
print sizeof(geo::point)
print *(geo::point *)&geo::origin
break helper
break geo::deep::sum
break geo::deep::next<short>
break first
break geo::deep::pick
info breakpoints
continue
backtrace
print calls
print geo::origin.y * 2
set var geo::origin.x = 9
continue
backtrace
finish
continue
backtrace
continue
backtrace
print *p
continue
backtrace
print geo::origin
delete
continue
print geo::origin
print origin
print geo::deep::level
print hidden
