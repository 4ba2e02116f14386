# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
display r8
display/x rd1
next
next
