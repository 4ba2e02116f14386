# args: -m performance -c v42-gtx480
dp 0 unit collector
