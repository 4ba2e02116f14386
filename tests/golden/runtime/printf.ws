# args: -q -m functional printf.ptx
# CUDA's buffer for printf: what doesn't fit is lost, the oldest first. A record of `count` takes 24 bytes, one of `words` 96.
set printf-fifo on
set printf-fifo-size 240
run count<<<2, 32>>>(0)
run words<<<1, 3>>>()
set printf-fifo-size 80
run words<<<1, 1>>>()
set printf-fifo off
run count<<<1, 3>>>(7)
info limits
