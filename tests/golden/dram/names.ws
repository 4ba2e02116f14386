# args: -m functional
# status: 1
info dram standards
info dram banks
