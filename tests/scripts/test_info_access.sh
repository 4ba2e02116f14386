# info access: transactions and bank conflicts of strides, broadcasts and random addresses, as the rules say and as the machine then counts.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
cp "$ROOT/tests/golden/access/access.ptx" .
exec python3 "$ROOT/tests/scripts/info_access.py" "$WARPSTEP" access.ptx
