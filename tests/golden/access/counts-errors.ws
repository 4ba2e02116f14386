# prompt
list /s
list /sx
load counts.ptx
list /x 3
list /
stats summary now
stats summary
list /s 12,13
