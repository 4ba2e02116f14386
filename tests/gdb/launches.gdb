# run: launch memory<<<1,32>>>(A)
# run: launch lanes<<<1,32>>>(A, 5)
# run: launch lanes<<<1,32>>>(A, 6)
# launches as stops and as goals, with monitor
monitor set break-on-launch application
continue
monitor set break-on-launch none
monitor simulate lanes#2
monitor info launches
monitor run-to-launch lanes#2
print $kernel
monitor catch launch
continue
continue
