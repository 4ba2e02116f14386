# args: -m functional -c tiny sums.ptx
# from where nobody runs any more: to the instruction executed last
set history on
buffer sum u32[64] = zero
run sums<<<1, 64>>>(sum)
rsi
rsi
c
rn
c
rni 2
