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
# arguments as gdb takes them: quoted ones whole, missing ones without a value
define words
  printf "%s, %d arguments\n", $arg0, $argc
end
words "two words" 3
words 'a' "not closed
define second
  if $argc > 1
    print $arg1
  else
    print $arg1
  end
end
second 5 6
second 5
define eleventh
  print $arg10 + $arg0
  second $arg*
end
eleventh 1 2 3 4 5 6 7 8 9 10 11
# blanks and tabs separate arguments, other white space is part of them
define count
  echo $argc\n
end
count ab	c
count a b
