# prompt
# args: ../contract/vecadd.ptx
# Characters behind addresses, as gdb has them: printf's %s takes a pointer or an address, print/s a pointer to characters
buffer text u8[16] = {72, 101, 108, 108, 111, 0, 119}
buffer open u8[3] = {97, 98, 99}
launch vecadd<<<1, 1>>>(text, open, 0, 1)
stepi 2
printf "%s|%.2s|%7s|\n", %rd1, (char *)%rd1, &text[3]
printf "%s %s %s\n", text, "and", 0
printf "%s\n", &text[6]
printf "%s\n", open
printf "%s\n", &open[0]
print/s (char *)%rd1
print/s &text[1]
print/s (u8 *)%rd2
print/s (char *)0
print/s (f32 *)%rd1
print (char *)%rd1
print/s text
printf "%s\n", 1.5
printf "%s\n", 16
display/s (char *)%rd1
set print elements 3
print/s (char *)%rd1
