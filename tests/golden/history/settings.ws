# args: -m functional -c tiny sums.ptx
# status: 1
# a bad value leaves what was set
show history
set history-memory 64M
show history-memory
set history-memory 5x
