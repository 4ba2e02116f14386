# args: -q -m functional assert-long.ptx
# status: 3
run check<<<1,32>>>()
