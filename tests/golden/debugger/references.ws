# args: -m functional references.ptx
# status: 3
# A handle that is none. References that aren't bound refuse the launch: tests/golden/textures/prompt
run handle<<<1, 32>>>(5)
why
