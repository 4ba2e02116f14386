# prompt
# gdb's commands for scripts: loop_break and loop_continue, with, pipe, set logging, and its functions in expressions
set var $i = 0
while $i < 9
  set var $i = $i + 1
  if $i == 2
    loop_continue
  end
  if $i > 4
    loop_break
    echo never\n
  end
  set var $k = 0
  while 1
    set var $k = $k + 1
    if $k == 2
      loop_break
    end
  end
  printf "%d %d\n", $i, $k
end
loop_break
loop_continue now
define leave
loop_break
end
# a defined command is no part of the loop that calls it
set var $i = 0
while $i < 2
  set var $i = $i + 1
  leave
end
# of a file likewise
shell printf 'loop_continue\n' >loops.ws
while $i < 3
  set var $i = $i + 1
  source loops.ws
end
print $i
with print elements 3 -- print "abcdefgh"
with listsize 3 -- show listsize
show listsize
with print pretty
show print-elements
with nonsense on -- print 1
with print elements x -- print 1
with print elements 2 -- print nonsense
show print-elements
with
with print pretty on --
pipe print 5 | sed s/5/five/
| print 6 | tr 6 7
pipe -d :: print 4 | 8 :: cat
print $_shell_exitcode
pipe print 1 | exit 3
print $_shell_exitcode
pipe print nonsense | cat
pipe print 1
pipe print 1 |
pipe
set logging file gdb-scripting.txt
set logging overwrite on
set logging on
print 77
print nonsense
set logging off
print 78
set logging redirect on
set logging overwrite off
set logging enabled on
print 79
set logging enabled off
show logging file
shell cat gdb-scripting.txt
set logging file /nowhere/at/all
set logging on
show logging enabled
shell rm gdb-scripting.txt loops.ws
print $_isvoid($nothing)
print $_isvoid($i)
print $_isvoid($_exitcode)
print $_strlen("abc") + $_strlen("")
print $_streq("abc", "abc") + 10 * $_streq("abc", "ab")
print $_memeq("abc", "abd", 2)
print $_regex("alpha", "a.*[a-c]$") + 10 * $_regex("alpha", "l")
print $_strlen(5)
print $_strlen()
print $_streq("a")
print $_memeq("a", "b", 1, 2)
print $_nothing(1)
buffer text u8[16] = {72, 101, 108, 108, 111, 0, 119}
buffer numbers f32[4] = iota
print $_strlen(text)
print $_streq((char *)&text[1], "ello")
print $_strlen(numbers)
print $_strlen((char *)1)
print $_memeq(text, &text[0], 16)
if $_streq(text, "Hello")
  echo yes\n
end
