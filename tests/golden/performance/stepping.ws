# args: -m performance ../../gpgpusim/issue/b.ptx
# GPGPU-Sim 3.2.2 issues line 10 in cycle 271, 11 in 551, 12 in 825, 13 in 826, 14 in 830, 15 in 831, 16 in 834
buffer p b8[1048576] = zero
launch k<<<1, 32>>>(p)
step
step 270
p $cycle
stepi
stepi
step
next
nexti 2
run-to-cycle 834
run-to-cycle 836
step
stepi
advance 20
until 22
run-to-exit
step 3
step
continue
p $cycle
