# run: launch lanes<<<2,64>>>(A, 5)
break 59 if r1 == 3
commands
silent
printf "lane 3 has %d\n", r8
continue
end
continue
