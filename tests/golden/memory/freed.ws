# args: -q -m functional freed.ptx
# status: 3
run late<<<1,1>>>()
