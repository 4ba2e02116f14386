# args: -m functional references.ptx
# status: 3
# What can't be executed yet names the reference it would read, and what is bound to that: in a kernel loaded by hand nothing; an object is no name
run look<<<1, 32>>>()
kill
run store<<<1, 32>>>()
kill
run handle<<<1, 32>>>(5)
why
