# prompt
# Settings by name, unique prefix and, as in gdb, by two words; values that don't fit.
show print-elements
set print elements 3
show print elements
buffer a u32[8] = iota
print a
set print-el 0
print a
buffer z u32[6] = fill 7
print z
set print repeats 4
print z
set print repeats many
set print 4
set listsize -1
set pagination
show pagination
set confirm no
show confirm
set source c
set source cuda
show source
show nothing
show print elements 4
set
