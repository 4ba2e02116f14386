# kernel: returns.ptx
# run: set source ptx
# run: launch returns<<<1,32>>>(A)
# with lines of PTX and its types: of structures the bytes, as PTX has them
tbreak two
continue
finish
print/x $
tbreak four
continue
finish
print/x $
tbreak three
continue
thread 3
finish
tbreak many
continue
finish
