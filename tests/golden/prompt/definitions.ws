# prompt
# Commands of one's own, other names, conditions and loops.
define sum
  printf "%d of %d\n", $arg0 + $arg1, $argc
end
sum 2 3
help sum
document sum
Adds two numbers.
end
help sum
alias plus = sum 4
plus 5
alias
define loops
  loops
end
loops
set $i = 0
while $i < 3
  if $i == 1
    echo one\n
  else
    print $i
  end
  set $i = $i + 1
end
help plus
alias x
alias = y
document nosuch
text
end
define
if )
print 1
end
while
end
sum
