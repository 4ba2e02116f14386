# args: -m performance -c v42-gtx480 -o '-gpgpu_independent_threads 1' ways.ptx -x values.cmd
# The option decides, whatever the config is for.
info config gpgpu_independent_threads
