# All results are inf, so something was divided by 0. Stop in front of scale, which divides:
break scale
run
# Both kernels are on the device, each in a stream of its own. Nothing says that scale comes after find_peak.
info kernels
info launches
# What find_peak writes and scale reads is alloc_2. Who comes first?
info buffers
delete 1
awatch *(f32*)alloc_2
continue
# A thread of scale has read 0. When is the peak written?
delete 2
watch *(f32*)alloc_2
continue
# By now all blocks of scale are done.
info kernels
continue
# The same without knowing where to look: with history, ask the values themselves. Where was the first inf born?
set history on
disable
run
find-nan alloc_3
# 3 was divided by 0. Whose 0 is it, if the peak has been written?
why ((f32*)alloc_3)[4] 4
who-wrote *(f32*)alloc_2
# scale has read what the fill had left, long before find_peak wrote. In functional mode launches come one after the other. What would it have read there?
diff-launch 1 functional
set history off
enable 3
# With the call that was forgotten, the peak is written while scale waits for it:
run fixed
info kernels
delete
continue
info launches
# All of this the race checker says by itself, in either mode:
check race on
set args
run
