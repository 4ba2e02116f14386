# args: vecadd.ptx
# status: 1
p 1 +
