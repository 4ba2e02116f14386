# prompt
# args: -m performance
# Launches, cycles and cores that aren't there are errors, and no file is written.
load ../../../examples/01-saxpy/saxpy.ptx
buffer x f32[4096] = iota
buffer y f32[4096] = fill 1
buffer z f32[4096] = zero
run saxpy<<<16, 256>>>(4095, 2.0, x, y, z)
report /nonexistent/a.html launch 9
report /nonexistent/a.html cycle 99990..99999
diagram core 99 svg /nonexistent/a.svg
diagram cycle 5000..6000 svg /nonexistent/a.svg
diagram warp 7..3 svg /nonexistent/a.svg
trace export perfetto /nonexistent/a.json core 99
trace export konata /nonexistent/a.log cycle 5000..6000
trace export konata /nonexistent/a.log launch 1
