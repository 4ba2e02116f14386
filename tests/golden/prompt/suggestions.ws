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
# two letters that changed places are one slip
inof warps
info config gpgpu_n_cluster
info config -gpgpu_shmem_sise
info config gpgpu*clustr
info config zzz
stats sumary
stats gpu_ipcc
stats gpu_sim_isnn
print $stat.gpu_sim_inns
stats zzz
