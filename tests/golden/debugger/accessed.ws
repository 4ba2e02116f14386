# args: accessed.ptx -m functional
# prompt
# shared arrays of bytes have the type of the kernel's accesses; each is said once
buffer in f32[32] = iota
buffer out f32[32] = zero
break accessed.cu:29 if part[33] == 1
run accessed<<<1, 32, 128>>>(in, out, 0)
print part[33]
print part[0..1]
why nope 3
whatis part
ptype counts
print counts[1]
print wide[3]
print text[2]
whatis text
print pairs[3]
print pairs[3]
print dynamic[5]
print ((u32[])part)[33]
print sizeof(part)
x/2fw &part[33]
set var part[2] = 7.5
print part[2]
print rows[5..8]
delete
break accessed.cu:24
r
watch part[1]
continue
dprintf accessed.cu:32,"%.1f %.1f\n",part[1],rows[2]
delete 3
continue
