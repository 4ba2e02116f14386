# prompt
# What may have been meant by what there isn't.
brek 3
contniue
xyzzy
info brekpoints
info dislpay
info cuda wraps
set widht 80
set print elemnts 4
set print xyzzy 4
show hieght
show xyzzy
help brek
set source cdua
