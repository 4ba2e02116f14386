# prompt
# args: hash.ptx
# names of the source in a file without its variables: the way to have them is told, but where names are PTX's
run fill<<<1, 32>>>(0, 63, 0, 32, 0)
print row
print row + 1
b insert if key == 24480
print (struct row *)0
print row::col
print %row
print $row
