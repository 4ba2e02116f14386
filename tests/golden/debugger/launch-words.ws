# args: words-of-launch.ptx
# prompt
# A kernel without parameters takes a launch without (); another says what it wants.
run alone<<<1, 32>>>
launch alone <<< 2, 32 >>>
kill
buffer C u32[4]
run twice<<<1, 1>>>
# a template's kernel by its name and arguments, with and without what the template was made for
run twice<float>(int, float*)<<<1, 1>>>(7, C)
print C[0]
run twice(int, float*)<<<1, 1>>>(8, C)
print C[0]
run twice<<<1, 1>>>(9, C)
print C[0]
run twice(int, int*)<<<1, 1>>>(7, C)
