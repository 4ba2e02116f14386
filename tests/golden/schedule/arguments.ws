# args: -m functional
# prompt
schedule fuzz 3
schedule 0
schedule fuzz
schedule fuzz 0
schedule fuzz x
schedule nonsense
schedule 3 4
schedule 3 4 3
schedule 3 0 3
schedule 3 1 2 3
schedule 3 2 4
schedule default
schedule
