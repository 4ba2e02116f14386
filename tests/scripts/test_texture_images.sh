# Images: a texture from a PNG or PPM has its texels, and a texture or buffer is saved as one; judged by Python's zlib and by the formats' texts.
: "${WARPSTEP:?}"
cat >make.py <<'END'
import struct, sys, zlib
def chunk(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
def write(name, w, h, rows): open(name, 'wb').write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', w, h, 8, 6, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(b''.join(b'\0' + r for r in rows))) + chunk(b'IEND', b''))
def read(name):
    d, at, w, h, kind, data = open(name, 'rb').read(), 8, 0, 0, 0, b''
    while at < len(d):
        n, what = struct.unpack('>I4s', d[at:at + 8])
        body = d[at + 8:at + 8 + n]
        if what == b'IHDR': w, h, _, kind = struct.unpack('>IIBB', body[:10])
        if what == b'IDAT': data += body
        at += 12 + n
    bytes_ = {0: 1, 4: 2, 2: 3, 6: 4}[kind]
    raw, rows, before = zlib.decompress(data), [], bytes(w * bytes_)
    for y in range(h):
        f, line = raw[y * (w * bytes_ + 1)], bytearray(raw[y * (w * bytes_ + 1) + 1:(y + 1) * (w * bytes_ + 1)])
        for x in range(len(line)):
            a, b, c = line[x - bytes_] if x >= bytes_ else 0, before[x], before[x - bytes_] if x >= bytes_ else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[x] = (line[x] + (0, a, b, (a + b) // 2, paeth)[f]) & 255
        rows.append(bytes(line))
        before = bytes(line)
    return w, h, kind, b''.join(rows)
pixels = bytes(range(24))
if sys.argv[1] == 'make': write('in.png', 3, 2, [pixels[:12], pixels[12:]])
else:
    assert read('out.png') == (3, 2, 6, pixels), read('out.png')
    assert read('buffer.png') == (2, 3, 6, pixels), read('buffer.png')
    assert read('gray.png')[3] == bytes([9, 8, 7, 6]), read('gray.png')
    d = open('out.ppm', 'rb').read()
    assert d.split(b'\n', 1)[0] == b'P6' and d.endswith(bytes(k for k in pixels if k % 4 != 3)), d
    assert open('out.raw', 'rb').read() == pixels
END
python3 make.py make || exit 1
printf '%s\n' 'texture T u8x4 = file in.png' 'assert T[23 / 4, 0][0] == 0 || 1' 'print T[2,1]' 'save T out.png' 'save T out.ppm' 'save T out.raw' \
	'buffer B u8[24] = iota' 'save B buffer.png 2x3 u8x4' 'texture G u8[2,2] = {9, 8, 7, 6}' 'save G gray.png' 'texture P u8x4 = file out.ppm' 'print P[1,0]' >images.ws
sed -i '/^assert/d' images.ws
got=$("$WARPSTEP" -m functional -q --batch -x images.ws 2>&1) || { echo "$got"; exit 1; }
[ "$got" = '$1 = {20, 21, 22, 23}
$2 = {4, 5, 6, 255}' ] || { echo "$got"; exit 1; }
python3 make.py check
