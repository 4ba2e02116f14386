# prompt
# Mistakes around blocks and aliases are one line each.
alias pp = prnt
alias ip = info buffers
ip
alias ip2 = ip
ip2
define twice
print $arg0 * 2
end
alias tw = twice
tw 21
alias print = info buffers
alias p = p/x
p 255
commands 5
print 1
end
commands
