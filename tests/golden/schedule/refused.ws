# args: -m performance
# prompt
# Performance mode has no schedules; what is no number.
schedule 3
schedule fuzz
load fuzz.ptx
