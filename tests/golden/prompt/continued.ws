# A backslash at the end of a line continues it, as in gdb: in scripts, in blocks, in what is echoed
load ../contract/vecadd.ptx
buffer A f32[64] = iota \
  0 2
run vecadd<<<1, 64>>>( \
  A, A, A, \
  64)
print A[0..3] \

define total
  print $arg0 + \
    $arg1
end
total 3 \
  4
echo one\
 line\n
if 1
  \
  print 5
end
