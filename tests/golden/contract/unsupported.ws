# args: unsupported.ptx
# status: 3
# What PTX has and we don't loads with a warning and stops when reached: never carried out as something else
run k<<<1, 32>>>(0)
