#!/usr/bin/env python3
"""Random look-ups and surface accesses against a model of the texture unit in double precision, written from the CUDA C++ Programming Guide
("Texture Fetching", "Cubemap Textures", "Texture Gather") and the PTX ISA ("Texture Instructions", "Surface Instructions"), not from src/exec.

textures.py WARPSTEP SEED CASES [MODE]: prints the cases that differ; exit status 1 if there are any. Coordinates are multiples of 1/1024 of a texel or
of a small power of two, so that single and double precision agree on the texels and the weights."""
import math, os, random, struct, subprocess, sys, tempfile

LANES = 64
WRAP, CLAMP, MIRROR, BORDER = 'wrap', 'clamp', 'mirror', 'border'
FORMATS = {'u8': 'B', 's8': 'b', 'u16': 'H', 's16': 'h', 'u32': 'I', 's32': 'i', 'f16': 'e', 'f32': 'f'}
GEOMETRIES = {  # name: dimensions, layered, cube, elements of the coordinates as written, elements of a gradient
    '1d': (1, False, False, 1, 1), '2d': (2, False, False, 2, 2), '3d': (3, False, False, 4, 4), 'a1d': (1, True, False, 2, 1),
    'a2d': (2, True, False, 4, 2), 'cube': (2, False, True, 4, 4), 'acube': (2, True, True, 4, 4)}


class Texture:
    """A random texture, and the prompt's line that makes it."""

    def __init__(self, r, geometry, name, surface=False, gather=False, numbers=False):
        self.geometry, self.name, self.surface = geometry, name, surface
        self.dims, self.layered, self.cube, self.written, self.gradient = GEOMETRIES[geometry]
        self.format = r.choice(list(FORMATS) + ['u8', 'f32'])
        self.channels = r.choice([1, 2, 4])
        self.bytes = struct.calcsize(FORMATS[self.format])
        is_float = self.format[0] == 'f'
        self.levels = r.choice([1, 1, 3]) if not surface and not gather else 1
        size = [r.randint(1, 12) if self.levels == 1 else r.randint(4, 16) for _ in range(3)]
        if self.cube:
            size[1] = size[0]
        self.size = (size + [1, 1])[:self.dims] + [1] * (3 - self.dims)
        self.layers = r.randint(1, 3) if self.layered else 1
        self.faces = 6 if self.cube else 1
        self.reads = not is_float and self.bytes < 4 and not surface and r.random() < .6
        self.is_float = is_float or self.reads
        self.linear = self.is_float and not surface and not gather and not numbers and r.random() < .6
        self.normalized = self.levels > 1 or self.cube or r.random() < .5
        self.srgb = self.reads and self.format == 'u8' and r.random() < .7
        self.mip = self.levels > 1 and self.is_float and r.random() < .5
        self.seamless = self.cube and r.random() < .5
        self.lod = (0, self.levels - 1, 0)
        if self.levels > 1 and r.random() < .5:
            self.lod = (r.choice([0, .5, 1]), r.choice([1, 1.5, 2]), r.choice([-.5, 0, .25, 1]))
        self.modes = [r.choice([WRAP, CLAMP, MIRROR, BORDER]) for _ in range(3)]
        self.border = [r.randint(-9, 9) / 2 if self.is_float else r.randint(0 if self.format[0] == 'u' else -9, 99) for _ in range(4)]
        self.level = []
        for k in range(self.levels):
            w, h, d = [max(n >> k, 1) for n in self.size]
            self.level.append((w, h, d, [self.value(r) for _ in range(w * h * d * self.layers * self.faces * self.channels)]))

    def value(self, r):
        if self.format[0] == 'f':
            return r.randint(-2048, 2048) / 64
        low = 0 if self.format[0] == 'u' else -(1 << 8 * self.bytes - 1)
        return low + r.randrange(1 << 8 * self.bytes)

    def raw(self):
        return b''.join(struct.pack('<%d%s' % (len(l[3]), FORMATS[self.format]), *l[3]) for l in self.level)

    def line(self, path):
        s = '%s %s %s%s[%s]' % ('surface' if self.surface else 'texture', self.name, self.format, 'x%d' % self.channels if self.channels > 1 else '',
                                ','.join(map(str, self.size[:self.dims])))
        s += ' layers %d' % self.layers if self.layered else ''
        s += ' cube' if self.cube else ''
        s += ' levels %d' % self.levels if self.levels > 1 else ''
        s += ' = file ' + path
        if self.surface:
            return s
        s += ' address ' + ','.join(self.modes[:self.dims])
        s += ' filter linear' if self.linear else ''
        for word, on in (('normalized', self.normalized), ('read normalized', self.reads), ('srgb', self.srgb), ('mip linear', self.mip), ('seamless', self.seamless)):
            s += ' ' + word if on else ''
        s += ' border ' + ','.join('%g' % b for b in self.border)
        if self.lod != (0, self.levels - 1, 0):
            s += ' lod %g %g %g' % self.lod
        return s

    # ---- the model ----
    def texel(self, k, x, y, z, c):
        """A channel of a texel of level k as the texture's read mode gives it; z counts slices, layers or faces."""
        w, h, d, v = self.level[k]
        if c >= self.channels:
            return (1 if c == 3 else 0)
        a = v[((z * h + y) * w + x) * self.channels + c]
        if not self.reads:
            return a
        if self.format[0] == 's':
            return max(a / ((1 << 8 * self.bytes - 1) - 1), -1)
        a = a / ((1 << 8 * self.bytes) - 1)
        if self.srgb and c < 3:
            return a / 12.92 if a <= .04045 else ((a + .055) / 1.055) ** 2.4
        return a

    def settle(self, i, n, mode):
        """A texel's number inside, or None: the border."""
        if mode in (WRAP, MIRROR) and not self.normalized:
            mode = CLAMP
        if mode == WRAP:
            return i % n
        if mode == MIRROR:
            i %= 2 * n
            return i if i < n else 2 * n - 1 - i
        if mode == CLAMP:
            return min(max(i, 0), n - 1)
        return i if 0 <= i < n else None

    def at(self, k, xyz, z, c, modes):
        """The value at texel numbers xyz of level k; z: the slice of textures with fewer than three dimensions."""
        w, h, d, _ = self.level[k]
        extent = (w, h, d)[:self.dims]
        inside = [self.settle(i, n, m) for i, n, m in zip(xyz, extent, modes)]
        if None in inside:
            return self.border[c]
        inside += [0] * (3 - self.dims)
        return self.texel(k, inside[0], inside[1], inside[2] if self.dims == 3 else z, c)

    def on_cube(self, k, x, y, layer, face, c):
        """A texel of a face, which may lie one texel behind an edge: folded over the edge. None at a corner."""
        n = self.level[k][0]
        out = [not 0 <= x < n, not 0 <= y < n]
        if not any(out) or not self.seamless:
            return self.texel(k, min(max(x, 0), n - 1), min(max(y, 0), n - 1), layer * 6 + face, c)
        if all(out):
            return None
        s, t = (2 * x + 1 - n) / n, (2 * y + 1 - n) / n
        m = 1.0
        if out[0]:
            m, s = 1 - (abs(s) - 1), math.copysign(1, s)
        else:
            m, t = 1 - (abs(t) - 1), math.copysign(1, t)
        axes = {0: (m, -t, -s), 1: (-m, -t, s), 2: (s, m, t), 3: (s, -m, -t), 4: (s, -t, m), 5: (-s, -t, -m)}
        face, s, t = face_of(axes[face])
        return self.texel(k, int((s + 1) / 2 * n), int((t + 1) / 2 * n), layer * 6 + face, c)

    def sample_level(self, k, q, c):
        w, h, d, _ = self.level[k]
        layer = q['layer'] if 0 <= q['layer'] < self.layers else self.layers - 1
        if self.cube:
            face, s, t = face_of(q['at'])
            place = [(s + 1) / 2 * w, (t + 1) / 2 * h]
        else:
            place = [a * n if self.normalized else a for a, n in zip(q['at'], (w, h, d)[:self.dims])]
        value = lambda i: (self.on_cube(k, i[0], i[1], layer, face, c) if self.cube
                           else self.at(k, [a + o for a, o in zip(i, q['offset'])], layer, c, self.modes))
        test = (lambda v: v) if q.get('compare') is None else (lambda v: 1.0 if q['compare'] <= v else 0.0)
        if not self.linear:
            return test(value([math.floor(p) for p in place]))
        low = [math.floor(p - .5) for p in place]
        alpha = [math.floor((p - .5 - l) * 256 + .5) / 256 for p, l in zip(place, low)]
        total, missing, corner = 0, 0, []
        for bits in range(1 << self.dims):
            one = [bits >> j & 1 for j in range(self.dims)]
            weight = math.prod(a if o else 1 - a for a, o in zip(alpha, one))
            v = value([l + o for l, o in zip(low, one)])
            if v is None:
                missing += weight
                continue
            corner.append(test(v))
            total += weight * test(v)
        return total + missing * sum(corner) / len(corner)

    def sample(self, q, c):
        if self.levels == 1:
            return self.sample_level(0, q, c)
        lod = min(max(q['lod'] + self.lod[2], self.lod[0]), self.lod[1])
        lod = min(max(lod, 0), self.levels - 1)
        if not self.mip:
            return self.sample_level(math.floor(lod + .5), q, c)
        low = math.floor(lod)
        alpha = math.floor((lod - low) * 256 + .5) / 256
        v = self.sample_level(low, q, c)
        return v if alpha == 0 else (1 - alpha) * v + alpha * self.sample_level(low + 1, q, c)

    def gather(self, q, c):
        w, h, _, _ = self.level[0]
        layer = q['layer'] if 0 <= q['layer'] < self.layers else self.layers - 1
        if self.cube:
            face, s, t = face_of(q['at'])
            place = [(s + 1) / 2 * w, (t + 1) / 2 * h]
        else:
            place = [a * n if self.normalized else a for a, n in zip(q['at'], (w, h))]
        x, y = [math.floor(p - .5) for p in place]
        out = []
        for dx, dy in ((0, 1), (1, 1), (1, 0), (0, 0)):
            if self.cube:
                out.append(self.on_cube(0, x + dx, y + dy, layer, face, c))
            else:
                out.append(self.at(0, (x + dx + q['offset'][0], y + dy + q['offset'][1]), layer, c, self.modes))
        return out

    def number(self, q, c):
        """tex with integer coordinates: texel numbers, zeros outside."""
        k = min(max(int(q['lod']), 0), self.levels - 1)
        layer = q['layer'] if 0 <= q['layer'] < self.layers else self.layers - 1
        w, h, d, _ = self.level[k]
        i = [a + o for a, o in zip(q['at'], q['offset'])]
        if any(not 0 <= a < n for a, n in zip(i, (w, h, d)[:self.dims])):
            return self.border[c]
        return self.at(k, i, layer, c, [CLAMP] * 3)


def face_of(d):
    """The guide's table of cubemaps: face, s / m, t / m."""
    x, y, z = d
    ax, ay, az = map(abs, d)
    if ax >= ay and ax >= az:
        return (0, -z / ax, -y / ax) if x > 0 else (1, z / ax, -y / ax)
    if ay >= az:
        return (2, x / ay, z / ay) if y > 0 else (3, x / ay, -z / ay)
    return (4, x / az, -y / az) if z > 0 else (5, -x / az, -y / az)


# ---- kernels ----
# each thread's input: 16 words: layer, x, y, z, level, two gradients of 3, three offsets, value to compare with
def kernel(name, tex, kind, lod, offset, compare, dtype, reference, independent, mode_of_gather):
    ctype = 's32' if kind == 'number' else 'f32'
    regs = {'layer': '%c0', 'x': '%c1', 'y': '%c2', 'z': '%c3', 'lod': '%c4'}
    position = {1: ['%c1'], 2: ['%c1', '%c2'], 3: ['%c1', '%c2', '%c3']}[3 if tex.cube else tex.dims]
    coordinates = (['%c0'] if tex.layered else []) + position
    coordinates += ['%c3'] * (tex.written - len(coordinates))
    g = tex.geometry
    handle = 'theref' if reference else '%rd1'
    sampler = (', thesampler' if reference else ', %rd5') if independent else ''
    place = '[%s%s, {%s}]' % (handle, sampler, ', '.join(coordinates)) if len(coordinates) > 1 else '[%s%s, {%s}]' % (handle, sampler, coordinates[0])
    if kind == 'gather':
        op = 'tld4.%s.%s.v4.%s.f32' % ('rgba'[mode_of_gather], g, dtype)
    else:
        op = 'tex%s.%s.v4.%s.%s' % ({'none': '', 'base': '.base', 'level': '.level', 'grad': '.grad'}[lod], g, dtype, ctype)
    tail = ''
    if lod == 'level':
        tail += ', %c4'
    if lod == 'grad':
        for first in (5, 8):
            rows = ['%%c%d' % (first + k) for k in range(3 if tex.cube else tex.dims)]
            rows += [rows[-1]] * (tex.gradient - len(rows))
            tail += ', ' + ('{' + ', '.join(rows) + '}' if len(rows) > 1 else rows[0])
    if offset:
        rows = ['%%c%d' % (11 + k) for k in range(tex.dims)]
        rows += [rows[-1]] * ((4 if tex.dims == 3 else tex.dims) - len(rows))
        tail += ', {' + ', '.join(rows) + '}'
    if compare:
        tail += ', %c14'
    loads = '\n'.join('\tld.global.b32 %%c%d, [%%rd4+%d];' % (k, 4 * k) for k in range(16))
    return '''
.visible .entry %s(.param .u64 t, .param .u64 s, .param .u64 in, .param .u64 out)
{
	.reg .b32 %%c<16>, %%r<8>;
	.reg .b64 %%rd<8>;
	ld.param.u64 %%rd1, [t];
	ld.param.u64 %%rd5, [s];
	ld.param.u64 %%rd2, [in];
	ld.param.u64 %%rd3, [out];
	mov.u32 %%r0, %%tid.x;
	mad.wide.u32 %%rd4, %%r0, 64, %%rd2;
	mad.wide.u32 %%rd3, %%r0, 16, %%rd3;
%s
	%s {%%r1, %%r2, %%r3, %%r4}, %s%s;
	st.global.v4.b32 [%%rd3], {%%r1, %%r2, %%r3, %%r4};
	ret;
}
''' % (name, loads, op, place, tail)


def words(q, tex, kind):
    """A thread's 16 words."""
    f = lambda v: struct.unpack('<I', struct.pack('<f', v))[0]
    i = lambda v: v & 0xffffffff
    at = list(q['at']) + [0] * (3 - len(q['at']))
    out = [i(q['layer'])] + [(i(a) if kind == 'number' else f(a)) for a in at] + [f(q['lod'])]
    out += [f(g) for g in q['gradient']] + [i(o) for o in q['offset']] + [f(q.get('compare') or 0), 0]
    return out


def random_place(r, tex, kind):
    if kind == 'number':
        return [r.randint(-3, n + 2) for n in tex.size[:tex.dims]]
    if tex.cube:
        # one component is larger than the others and a power of two: quotients are exact. Ties of the components aren't tested.
        major = r.choice([1.0, 2.0, 4.0]) * r.choice([1, -1])
        v = [r.randint(-1023, 1023) / 1024 * abs(major) for _ in range(3)]
        v[r.randrange(3)] = major
        return v
    if tex.normalized:
        return [r.randint(-2048, 3072) / 1024 for _ in range(tex.dims)]
    return [r.randint(-3 * 1024, (n + 3) * 1024) / 1024 for n in tex.size[:tex.dims]]


def is_tie(tex, q):
    """A mirrored place exactly between two texels: the guide's and OpenGL's formulas name different ones."""
    if tex.cube or not tex.normalized or MIRROR not in tex.modes or tex.linear:
        return False
    return any(m == MIRROR and (a * n) % 1 == 0 for a, n, m in zip(q['at'], tex.size, tex.modes))


class Case:
    def __init__(self, r, number):
        self.number = number
        self.kind = r.choice(['sample', 'sample', 'sample', 'gather', 'number'])
        geometries = {'sample': list(GEOMETRIES), 'gather': ['2d', 'a2d', 'cube', 'acube'], 'number': ['1d', '2d', '3d', 'a1d', 'a2d']}[self.kind]
        t = self.tex = Texture(r, r.choice(geometries), 'T%d' % number, gather=self.kind == 'gather', numbers=self.kind == 'number')
        self.lod = r.choice(['none', 'base', 'level', 'grad']) if self.kind == 'sample' else r.choice(['none', 'level']) if self.kind == 'number' else 'none'
        if self.kind == 'number' and self.lod == 'level' and t.levels == 1:
            self.lod = 'none'
        self.offset = not t.cube and r.random() < .3
        self.compare = self.kind == 'sample' and t.geometry != '3d' and t.is_float and r.random() < .15
        self.component = r.randrange(4)
        self.independent = r.random() < .3
        self.reference = r.random() < .3
        # the sampler's settings come from another texture in independent mode
        self.sampler = None
        self.dtype = 'f32' if t.is_float or self.compare else ('u32' if t.format[0] == 'u' else 's32')
        self.queries = []
        for _ in range(LANES):
            q = {'layer': r.randint(-1, t.layers + 1) if t.layered else 0, 'at': random_place(r, t, self.kind), 'lod': 0.0, 'gradient': [0.0] * 6,
                 'offset': [r.randint(-3, 3) if self.offset else 0 for _ in range(3)], 'compare': None}
            if self.lod == 'level':
                q['lod'] = float(r.randint(0, t.levels)) if self.kind == 'number' else r.randint(-16, 48) / 16
            if self.lod == 'grad':
                # one component in each of the two vectors; lengths are powers of two of texels
                n = t.size[:1] * 3 if t.cube else t.size
                axis = r.randrange(3 if t.cube else t.dims)
                q['lod'] = 0.0
                if t.levels > 1 and n[axis] & (n[axis] - 1) == 0:
                    q['lod'] = float(r.randint(0, 3))
                    q['gradient'][axis] = 2.0 ** q['lod'] / n[axis]
                    q['gradient'][3 + axis] = q['gradient'][axis] / 2
            if self.compare:
                q['compare'] = r.randint(-32, 32) / 8
            self.queries.append(q)

    def ptx(self):
        return kernel('k%d' % self.number, self.tex, self.kind, self.lod, self.offset, self.compare, self.dtype, self.reference, self.independent, self.component)

    def script(self, folder):
        n = self.number
        path = lambda what: os.path.join(folder, '%s%d' % (what, n))
        open(path('t'), 'wb').write(self.tex.raw())
        open(path('i'), 'wb').write(b''.join(struct.pack('<16I', *words(q, self.tex, self.kind)) for q in self.queries))
        lines = [self.tex.line(path('t')), 'buffer I u32[%d] = file %s' % (16 * LANES, path('i')), 'buffer O u32[%d] = zero' % (4 * LANES)]
        if self.reference:
            lines += ['bind theref T%d' % n, 'bind thesampler T%d' % n]
        return lines + ['run k%d<<<1, %d>>>(T%d, T%d, I, O)' % (n, LANES, n, n), 'save O %s' % path('o'), 'delete buffer O', 'delete buffer I']

    def check(self, folder):
        got = struct.unpack('<%dI' % (4 * LANES), open(os.path.join(folder, 'o%d' % self.number), 'rb').read())
        bad = []
        for lane, q in enumerate(self.queries):
            if is_tie(self.tex, q):
                continue
            wanted = self.tex.gather(q, self.component) if self.kind == 'gather' else [
                self.tex.number(q, c) if self.kind == 'number' else self.tex.sample(q, c) for c in range(4)]
            for c in range(4):
                w, g = wanted[c], got[4 * lane + c]
                if w is None:
                    continue
                if self.tex.is_float:
                    v = struct.unpack('<f', struct.pack('<I', g))[0]
                    ok = abs(v - w) <= 2e-5 * max(1, abs(w))
                else:
                    v, ok = g, (int(w) & 0xffffffff) == g
                if not ok:
                    bad.append('case %d, %s %s%s%s%s%s: %s\n  lane %d at %s layer %d lod %g offset %s compare %s: channel %d is %s, expected %s' %
                               (self.number, self.kind, self.lod, ' offset' if self.offset else '', ' compare' if self.compare else '',
                                ' reference' if self.reference else '', ' independent' if self.independent else '', self.tex.line('X'), lane, q['at'],
                                q['layer'], q['lod'], q['offset'], q['compare'], c, v, w))
        return bad


class SurfaceCase:
    """Each thread makes one access; their places don't overlap where they write."""

    def __init__(self, r, number):
        self.number = number
        self.tex = t = Texture(r, r.choice(['1d', '2d', '3d', 'a1d', 'a2d']), 'S%d' % number, surface=True)
        self.op = r.choice(['suld', 'sust', 'sust.p', 'sured'])
        if self.op in ('sust.p',) and t.layered:
            self.op = 'sust'
        if self.op == 'sured':
            t.__init__(r, r.choice(['1d', '2d', '3d']), 'S%d' % number, surface=True)
            while t.format not in ('u32', 's32'):
                t.__init__(r, t.geometry, 'S%d' % number, surface=True)
        self.edge = r.choice(['clamp', 'zero', 'trap'])
        texel = t.bytes * t.channels
        self.vec = r.choice([v for v in (1, 2, 4) if v <= t.channels])
        self.width = t.bytes
        self.reduction = r.choice(['add', 'min', 'max', 'and', 'or'])
        self.by_texel = self.op == 'sust.p' or (self.op == 'sured' and r.random() < .5)
        if self.op == 'sured':
            self.vec = 1
        self.queries, taken = [], set()
        step = self.width * (1 if self.op == 'sured' else self.vec)
        for _ in range(LANES):
            beyond = 0 if self.edge == 'trap' else 2
            x = r.randint(-beyond, t.size[0] * texel // step - 1 + beyond) * step
            if self.by_texel:
                x = r.randint(-beyond, t.size[0] - 1 + beyond)
            at = [x] + [r.randint(-beyond, n - 1 + beyond) for n in t.size[1:t.dims]]
            layer = r.randint(0, t.layers - 1 + (beyond > 0)) if t.layered else 0
            q = {'at': at, 'layer': layer, 'active': True, 'value': [r.randrange(1 << 32) for _ in range(4)]}
            if self.by_texel and self.op == 'sust.p':
                small = [t.value(r) for _ in range(4)]
                q['small'] = small
                q['value'] = [struct.unpack('<I', struct.pack('<f', v))[0] if t.format[0] == 'f' else v & 0xffffffff for v in small]
            place = self.place(q)
            q['active'] = self.op in ('suld', 'sured') or place is None or place not in taken
            taken.add(place)
            self.queries.append(q)

    def place(self, q):
        """The first byte of the access in the surface; None: dropped."""
        t = self.tex
        texel = t.bytes * t.channels
        step = texel if self.op == 'sust.p' else self.width * self.vec
        at = list(q['at'])
        extent = [t.size[0] if self.by_texel else t.size[0] * texel] + t.size[1:]
        for k in range(t.dims):
            last = extent[k] - (1 if k or self.by_texel else step)
            if not 0 <= at[k] <= last:
                if self.edge != 'clamp':
                    return None
                at[k] = min(max(at[k], 0), last)
        layer = q['layer']
        if t.layered and layer >= t.layers:
            if self.edge != 'clamp':
                return None
            layer = t.layers - 1
        at += [0] * (3 - len(at))
        z = layer if t.layered else at[2]
        return (z * t.size[1] + at[1]) * t.size[0] * texel + at[0] * (texel if self.by_texel else 1)

    def ptx(self):
        t = self.tex
        position = ['%c1', '%c2', '%c3'][:t.dims]
        coordinates = (['%c0'] if t.layered else []) + position
        coordinates += ['%c3'] * (t.written - len(coordinates))
        place = '[%%rd1, {%s}]' % ', '.join(coordinates)
        vec = '' if self.vec == 1 else '.v%d' % self.vec
        regs = lambda names: names[0] if self.vec == 1 else '{' + ', '.join(names[:self.vec]) + '}'
        big = self.width == 4
        if self.op == 'suld':
            names = ['%v0', '%v1', '%v2', '%v3'] if big else ['%h0', '%h1', '%h2', '%h3']
            body = '\tsuld.b.%s%s.b%d.%s %s, %s;\n' % (t.geometry, vec, 8 * self.width, self.edge, regs(names), place)
            if not big:
                body += ''.join('\tcvt.u32.u16 %%v%d, %%h%d;\n' % (k, k) for k in range(self.vec))
            body += ''.join('\tst.global.b32 [%%rd3+%d], %%v%d;\n' % (4 * k, k) for k in range(self.vec))
        elif self.op == 'sust':
            names = ['%c12', '%c13', '%c14', '%c15'] if big else ['%h0', '%h1', '%h2', '%h3']
            body = '' if big else ''.join('\tcvt.u16.u32 %%h%d, %%c%d;\n' % (k, 12 + k) for k in range(self.vec))
            body += '\t@%%p1 sust.b.%s%s.b%d.%s %s, %s;\n' % (t.geometry, vec, 8 * self.width, self.edge, place, regs(names))
        elif self.op == 'sust.p':
            body = '\t@%%p1 sust.p.%s.v4.b32.%s %s, {%%c12, %%c13, %%c14, %%c15};\n' % (t.geometry, self.edge, place)
        else:
            form = 'b32' if self.by_texel else t.format
            body = '\tsured.%s.%s.%s.%s.%s %s, %%c12;\n' % ('p' if self.by_texel else 'b', self.reduction, t.geometry, form, self.edge, place)
        loads = '\n'.join('\tld.global.b32 %%c%d, [%%rd4+%d];' % (k, 4 * k) for k in range(16))
        return '''
.visible .entry k%d(.param .u64 t, .param .u64 s, .param .u64 in, .param .u64 out)
{
	.reg .b32 %%c<16>, %%r<8>, %%v<4>;
	.reg .b16 %%h<4>;
	.reg .b64 %%rd<8>;
	.reg .pred %%p<2>;
	ld.param.u64 %%rd1, [t];
	ld.param.u64 %%rd2, [in];
	ld.param.u64 %%rd3, [out];
	mov.u32 %%r0, %%tid.x;
	mad.wide.u32 %%rd4, %%r0, 64, %%rd2;
	mad.wide.u32 %%rd3, %%r0, 16, %%rd3;
%s
	setp.ne.u32 %%p1, %%c4, 0;
%s	ret;
}
''' % (self.number, loads, body)

    def script(self, folder):
        n = self.number
        path = lambda what: os.path.join(folder, '%s%d' % (what, n))
        open(path('t'), 'wb').write(self.tex.raw())
        rows = b''
        for q in self.queries:
            at = [a & 0xffffffff for a in q['at']] + [0] * (3 - len(q['at']))
            rows += struct.pack('<16I', q['layer'], *at, q['active'], *[0] * 7, *q['value'])
        open(path('i'), 'wb').write(rows)
        return [self.tex.line(path('t')), 'buffer I u32[%d] = file %s' % (16 * LANES, path('i')), 'buffer O u32[%d] = zero' % (4 * LANES),
                'run k%d<<<1, %d>>>(S%d, 0, I, O)' % (n, LANES, n), 'save O %s' % path('o'), 'save S%d %s' % (n, path('s')), 'delete buffer O', 'delete buffer I']

    def check(self, folder):
        t, n = self.tex, self.number
        memory = bytearray(t.raw())
        got = struct.unpack('<%dI' % (4 * LANES), open(os.path.join(folder, 'o%d' % n), 'rb').read())
        bad = []
        for lane, q in enumerate(self.queries):
            at = self.place(q)
            if self.op == 'suld':
                for k in range(self.vec):
                    w = 0 if at is None else int.from_bytes(memory[at + k * self.width:at + (k + 1) * self.width], 'little')
                    if got[4 * lane + k] & ((1 << 8 * self.width) - 1) != w:
                        bad.append('case %d: %s: suld %s v%d lane %d at %s layer %d: element %d is %#x, expected %#x' % (n, t.line('X'), self.edge, self.vec, lane, q['at'], q['layer'], k, got[4 * lane + k], w))
            if at is None or not q['active']:
                continue
            if self.op == 'sust':
                for k in range(self.vec):
                    memory[at + k * self.width:at + (k + 1) * self.width] = (q['value'][k] & ((1 << 8 * self.width) - 1)).to_bytes(self.width, 'little')
            if self.op == 'sust.p':
                memory[at:at + t.bytes * t.channels] = struct.pack('<%d%s' % (t.channels, FORMATS[t.format]), *q['small'][:t.channels])
            if self.op == 'sured':
                code = '<i' if t.format == 's32' else '<I'
                old, v = struct.unpack(code, memory[at:at + 4])[0], struct.unpack(code, struct.pack('<I', q['value'][0]))[0]
                new = {'add': old + v, 'min': min(old, v), 'max': max(old, v), 'and': old & v, 'or': old | v}[self.reduction]
                memory[at:at + 4] = struct.pack('<I', new & 0xffffffff)
        after = open(os.path.join(folder, 's%d' % n), 'rb').read()
        if self.op != 'suld' and after != bytes(memory):
            first = next(k for k in range(len(after)) if after[k] != memory[k])
            bad.append('case %d: %s: %s %s %s v%d by texel %d: byte %d is %#x, expected %#x' % (n, t.line('X'), self.op, self.reduction if self.op == 'sured' else '', self.edge, self.vec, self.by_texel, first, after[first], memory[first]))
        return bad


def main():
    warpstep, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    mode = sys.argv[4] if len(sys.argv) > 4 else 'functional'
    r = random.Random(seed)
    cases = [Case(r, k) if r.random() < .75 else SurfaceCase(r, k) for k in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for name, independent in (('unified', False), ('independent', True)):
            head = '.version 7.8\n.target sm_75%s\n.address_size 64\n.global .texref theref;\n' % (', texmode_independent' if independent else '')
            head += '.global .samplerref thesampler;\n' if independent else ''
            own = [c for c in cases if getattr(c, 'independent', False) == independent]
            open(os.path.join(folder, name + '.ptx'), 'w').write(head + ''.join(c.ptx() for c in own))
            lines.append('load %s.ptx' % os.path.join(folder, name))
            for c in own:
                lines += [l for l in c.script(folder) if independent or not l.startswith('bind thesampler')]
        script = os.path.join(folder, 's.ws')
        open(script, 'w').write('\n'.join(lines) + '\n')
        if os.environ.get('KEEP'):
            os.system('rm -rf %s; cp -r %s %s' % (os.environ['KEEP'], folder, os.environ['KEEP']))
        run = subprocess.run([warpstep, '-q', '--batch', '-m', mode, '-x', script], capture_output=True, text=True)
        if run.returncode:
            print('status %d: %s%s' % (run.returncode, run.stdout[-600:], run.stderr[-600:]))
            return 1
        bad = [b for c in cases for b in c.check(folder)]
    for b in bad[:12]:
        print(b)
    print('seed %d: %d cases of %d look-ups or accesses, %d differ' % (seed, count, LANES, len(bad)))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
