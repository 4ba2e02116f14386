# prompt
# args: lambdas.ptx
# frames of lambdas and of functions that return decltype(...), their names as places, and what lambdas have captured
buffer o s32[4] = zero
set source cuda
break lambdas.cu:23 if factor > 1 && i == 2
run lambdas<<<1,4>>>(o)
bt
print factor
print shift * 2
print n
print *this
print __this->factor
whatis out
print &shift
set var shift = 7
up
print shift
break 'scale::run(int)::{lambda(int)#2}::operator()'
break scale::run(int)::{lambda(int)#1}::operator()(int) const
break lambdas.cu:27
continue
print shift
print *this
break operator()
break join
break lab::less
break scale::get
info breakpoints
delete 1-5
continue
info symbol $pc
continue
bt
up
print total
continue
finish
