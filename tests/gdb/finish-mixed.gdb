# kernel: returns-mixed.ptx
# run: set source cuda
# run: launch mixed<<<1,32>>>(A)
# the values a CPU program shows
tbreak mixed
continue
thread 4
tbreak one
continue
finish
tbreak two
continue
finish
tbreak three
continue
finish
tbreak four
continue
finish
tbreak five
continue
finish
tbreak six
continue
finish
tbreak seven
continue
finish
tbreak eight
continue
finish
tbreak nine
continue
finish
