# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
x/4f shared+4
x/2f table
x/1uw &limit
x/2i $pc
x/1gx param
x/1uw &r8
find &table, +16, 2.5f
