# args: -m functional
# prompt
schedule fuzz 3
schedule 0
schedule fuzz
schedule fuzz 0
schedule fuzz x
schedule nonsense
schedule
