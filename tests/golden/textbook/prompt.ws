# args: -m performance -ex "set history on" -c cc61 -o '-gpgpu_textbook_schedulers 2' loop.ptx
# A textbook core at the prompt: what warps wait for, dumps, the diagram, stepping by cycles, going back, statistics, occupancy.
buffer data f32[4] = fill 1
set stalls on
diagram on
launch loop<<<1, 96>>>(data, 2)
info warps
step 30
info warps
why warp 0
why warp 2
info scoreboard
dp 0
dp 0 unit scheduler
dm 0
dicnt
print core[0].warp[2].wait
run-to-cycle 460
info cores
run-to-barrier
why barrier
step
rs 40
info warps
continue
print data
diagram warp 0..1
diagram compact
info stalls
stats gpu_*
stats summary
occupancy loop 96
occupancy loop 96 --cc 3.5
info occupancy
