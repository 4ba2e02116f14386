'use strict';
/* Draws the report from the JSON in #data, which holds the answers of commands. */
const data = JSON.parse(document.getElementById('data').textContent);
const main = document.getElementById('main'), nav = document.getElementById('nav');
const SVG = 'http://www.w3.org/2000/svg';

/* ---- elements ---- */

function el(name, attributes, ...inside) {
	const e = document.createElement(name);
	return fill(e, attributes, inside);
}
function svg(name, attributes, ...inside) {
	const e = document.createElementNS(SVG, name);
	return fill(e, attributes, inside);
}
function fill(e, attributes, inside) {
	for (const [k, v] of Object.entries(attributes || {}))
		if (k.startsWith('on'))
			e.addEventListener(k.slice(2), v);
		else if (v !== undefined && v !== null)
			e.setAttribute(k, v);
	for (const x of inside.flat(3))
		if (x !== null && x !== undefined)
			e.append(x);
	return e;
}
function section(id, title, ...inside) {
	const less = data.limits.filter(l => l.section === id).map(l => el('p', {class: 'limit'}, `Shown to keep the page small: ${num(l.shown)} of ${num(l.all)} ${l.what}.`));
	main.append(el('h2', {id}, title), ...less, ...inside.flat(3).filter(Boolean));
	nav.append(el('a', {href: '#' + id}, title));
}
const num = v => typeof v !== 'number' ? String(v) : Number.isInteger(v) ? v.toLocaleString('en') : Math.abs(v) >= 100 ? v.toFixed(0) : Math.abs(v) >= 10 ? v.toFixed(1) : v.toPrecision(3);
const percent = (part, whole) => whole ? (100 * part / whole).toFixed(1) + ' %' : '-';
const hex = v => '0x' + BigInt(v).toString(16);
const clamp = (v, a, b) => Math.min(Math.max(v, a), b);
const sum = list => list.reduce((a, b) => a + b, 0);

const tip = el('div', {class: 'tip', hidden: ''});
document.body.append(tip);
function showTip(event, text) {
	tip.hidden = !text;
	tip.textContent = text || '';
	tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
	tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
}
/* Shows what `find(event)` returns while the pointer is over an element. */
function hover(e, find) {
	e.addEventListener('pointermove', event => showTip(event, find(event)));
	e.addEventListener('pointerleave', event => showTip(event, null));
	return e;
}
/* Returns the pointer's place in the units of an svg's viewBox. */
function place(s, event) {
	const r = s.getBoundingClientRect(), v = s.viewBox.baseVal;
	return [(event.clientX - r.left) / r.width * v.width, (event.clientY - r.top) / r.height * v.height];
}
function table(titles, rows, options = {}) {
	const head = titles.map(t => el('th', {class: t.startsWith('<') ? 'left' : ''}, t.replace(/^</, '')));
	return el('div', {class: 'scroll'}, el('table', options, el('thead', {}, el('tr', {}, head)),
		el('tbody', {}, rows.map(r => el('tr', {}, r.map((c, k) => el('td', {class: titles[k].startsWith('<') ? 'left' : ''}, typeof c === 'number' ? num(c) : c)))))));
}

/* ---- colours: Okabe and Ito's, which colour-blind readers tell apart ---- */

const colours = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#f0e442', '#999999'];
const reasonColours = {issued: '#009e73', '#': '#009e73', gone: 'none', done: '#cfcfcf', barrier: '#f0e442', membar: '#b8a200', atomic: '#8f4a77', 'i-miss': '#7a7a7a', fetch: '#b0b0b0',
	hazard: '#4d4d4d', scoreboard: '#d55e00', pipeline: '#e69f00', ready: '#56b4e9', latency: '#0072b2', dispatch: '#cc79a7'};
const reasons = data.reasons;
const bySymbol = Object.fromEntries(reasons.map(r => [r.symbol, r]));
bySymbol['#'] = {symbol: '#', word: 'issued', text: 'issues: in a quarter of the cycles or more'};
function legend(entries) {
	return el('div', {class: 'legend'}, entries.map(([colour, text]) => el('span', {}, el('i', {style: 'background:' + colour}), text)));
}

/* ---- answers ---- */

const result = a => (a && a.result) || {};
const summary = result(data.summary), statistics = result(data.statistics), launches = result(data.launches).launches || [];
const machine = data.machine && !data.machine.error ? data.machine : null;
const samples = data.samples && data.samples.cycles ? data.samples : null;
const again = data.again && !data.again.error ? data.again : null;
const program = data.program;
const instructions = new Map();
for (const f of program.functions)
	for (const i of f.instructions)
		instructions.set(i.index, Object.assign(i, {fn: f.name}));
for (const i of (again && again.instructions) || [])
	Object.assign(instructions.get(i.index) || {}, {more: i});
const insnText = index => instructions.has(index) ? instructions.get(index).text : '?';
const fileName = k => program.files[k] ? program.files[k].name : '?';
function where(i) {
	const p = i.ptx ? fileName(i.ptx[0]) + ':' + i.ptx[1] : '';
	return p + (i.cuda ? ' (' + fileName(i.cuda[0]) + ':' + i.cuda[1] + ')' : '');
}

/* ---- 1 summary ---- */

function tile(value, text) {
	return el('div', {class: 'tile'}, el('b', {}, value), el('span', {}, text));
}
function stackedBar(parts, width, height) {
	const whole = sum(parts.map(p => p.n)) || 1;
	let x = 0;
	const s = svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img'});
	for (const p of parts) {
		const w = p.n / whole * width;
		const r = svg('rect', {x, y: 0, width: w, height, fill: p.colour, stroke: 'var(--paper)', 'stroke-width': 0.5});
		hover(r, () => `${p.text}: ${num(p.n)} (${percent(p.n, whole)})`);
		s.append(r);
		if (w > 46)
			s.append(svg('text', {x: x + w / 2, y: height / 2 + 4, 'text-anchor': 'middle', style: 'fill:#000;pointer-events:none'}, percent(p.n, whole)));
		x += w;
	}
	return s;
}
const slotKinds = [['issued', 'issued an instruction', '#009e73'], ['W0_Scoreboard', 'all warps waited for registers', '#d55e00'], ['Stall', 'the pipeline was full', '#e69f00'],
	['W0_Idle', 'no warp had an instruction', '#999999']];
function slots() {
	const s = summary.schedulers;
	if (!s)
		return null;
	const all = {issued: s.issued, W0_Scoreboard: s.scoreboard, Stall: s.unit_busy, W0_Idle: s.no_instruction};
	const parts = x => slotKinds.map(([k, text, colour]) => ({n: x[k] || 0, text, colour}));
	const out = [el('h3', {}, 'Issue slots: what the schedulers did'), stackedBar(parts(all), 700, 30), legend(slotKinds.map(([, t, c]) => [c, t]))];
	const stalls = again && again.stalls;
	if (stalls && stalls.schedulers) {
		const rows = stalls.schedulers.filter(x => x.issued).map(x => [x.core, x.scheduler, x.cycles, ...slotKinds.map(([k]) => percent(x[k], x.cycles)),
			percent(sum(slotKinds.map(([k]) => x[k])), x.cycles), stackedBar(parts(x), 220, 14)]);
		out.push(el('h3', {}, `Each scheduler, in launch ${again.launch}`), table(['Core', 'Scheduler', 'Cycles', 'Issued', 'Registers', 'Pipeline', 'No instruction', 'Sum', '<'], rows, {id: 'slots'}));
	}
	if (stalls && stalls.reasons && stalls.reasons.length)
		out.push(el('h3', {}, 'Cycles without an instruction, by what the warp nearest to issuing waited for'), table(['<Reason', 'Cycles', '<Most of them at', '<To do'],
			stalls.reasons.map(r => [el('span', {}, el('i', {style: `display:inline-block;width:11px;height:11px;margin-right:6px;background:${reasonColours[r.reason] || 'none'}`}), r.reason), r.cycles,
				r.places && r.places[0] ? r.places[0].instruction + (r.places[0].ptx ? '  ' + r.places[0].ptx.file + ':' + r.places[0].ptx.line : '') : '', r.what_to_do || '']), {id: 'reasons'}));
	return out;
}
function bars(rows, title) {
	const w = 460, h = 22, s = svg('svg', {viewBox: `0 0 ${w} ${rows.length * h}`, width: w, height: rows.length * h});
	rows.forEach(([name, share, text], k) => {
		s.append(svg('text', {x: 0, y: k * h + 15}, name), svg('rect', {x: 120, y: k * h + 3, width: 180, height: h - 7, class: 'box'}),
			svg('rect', {x: 120, y: k * h + 3, width: 180 * clamp(share, 0, 1), height: h - 7, fill: colours[0]}), svg('text', {x: 308, y: k * h + 15}, text));
	});
	return el('div', {}, el('h3', {}, title), s);
}
function memory() {
	const d = summary.dram;
	if (!d)
		return null;
	const rows = (summary.caches || []).map(c => [c.cache + ' misses', c.misses / c.accesses, `${percent(c.misses, c.accesses)} of ${num(c.accesses)}`]);
	rows.push(['DRAM utilisation', d.data_cycles / d.cycles, percent(d.data_cycles, d.cycles)], ['DRAM efficiency', d.data_cycles / d.active_cycles, percent(d.data_cycles, d.active_cycles)]);
	const toCores = statistics.icnt_total_pkts_mem_to_simt, most = machine && machine.clusters * summary.cycles * machine.clocks_mhz.network / machine.clocks_mhz.core;
	if (toCores !== undefined && most)
		rows.push(['network to cores', toCores / most, percent(toCores, most) + ' of a flit a cycle each']);
	return bars(rows, 'Caches, DRAM, network');
}
function roofline() {
	const kernels = (statistics.kernels || []).filter(k => k.statistics && k.statistics.gpu_sim_cycle);
	if (!machine || !kernels.length)
		return null;
	const top = machine.most_per_core_cycle.thread_instructions, slope = machine.most_per_core_cycle.dram_bytes, network = machine.most_per_core_cycle.network_bytes;
	const points = kernels.map(k => {
		const s = k.statistics, cycles = s.gpu_sim_cycle, dram = (s.bw_util || 0) * slope * cycles;
		return {k, y: s.gpu_sim_insn / cycles, x: dram ? s.gpu_sim_insn / dram : null, dram: dram / cycles};
	}).filter(p => p.x && p.y > 0);
	const w = 480, h = 300, x0 = 52, y0 = 14, x1 = w - 12, y1 = h - 40, lx = [-2, 4], ly = [-1, Math.ceil(Math.log10(top) + 0.2)];
	const X = v => x0 + (Math.log10(v) - lx[0]) / (lx[1] - lx[0]) * (x1 - x0), Y = v => y1 - (Math.log10(v) - ly[0]) / (ly[1] - ly[0]) * (y1 - y0);
	const s = svg('svg', {viewBox: `0 0 ${w} ${h}`, width: w, height: h, id: 'roofline'});
	for (let e = lx[0]; e <= lx[1]; e++)
		s.append(svg('path', {d: `M${X(10 ** e)} ${y0}V${y1}`, class: 'axis'}), svg('text', {x: X(10 ** e), y: y1 + 14, 'text-anchor': 'middle', class: 'soft'}, '10^' + e));
	for (let e = ly[0]; e <= ly[1]; e++)
		s.append(svg('path', {d: `M${x0} ${Y(10 ** e)}H${x1}`, class: 'axis'}), svg('text', {x: x0 - 6, y: Y(10 ** e) + 4, 'text-anchor': 'end', class: 'soft'}, '10^' + e));
	const roof = (bytes, colour, text) => {
		const from = Math.max(10 ** lx[0], 10 ** ly[0] / bytes), knee = top / bytes;
		s.append(svg('path', {d: `M${X(from)} ${Y(from * bytes)}L${X(knee)} ${Y(top)}`, stroke: colour, 'stroke-width': 2, fill: 'none'}));
		s.append(svg('text', {x: X(Math.sqrt(from * knee)) + 8, y: Y(Math.sqrt(from * knee) * bytes) + 14, style: 'fill:' + colour}, text));
	};
	s.append(svg('path', {d: `M${X(top / slope)} ${Y(top)}H${x1}`, stroke: colours[3], 'stroke-width': 2, fill: 'none'}), svg('text', {x: x1, y: Y(top) - 5, 'text-anchor': 'end'}, `issue: ${num(top)} a cycle`));
	roof(slope, colours[3], `DRAM: ${num(slope)} bytes a cycle`);
	void network;
	points.forEach((p, k) => {
		const c = svg('circle', {cx: X(clamp(p.x, 0.01, 1e4)), cy: Y(p.y), r: 6, fill: colours[k % colours.length], stroke: 'var(--ink)'});
		hover(c, () => `launch ${p.k.launch} ${p.k.kernel}\n${num(p.y)} instructions of threads a cycle (${percent(p.y, Math.min(top, p.x * slope))} of the roof)\n${num(p.x)} instructions for each byte of DRAM\n${num(p.dram)} bytes a cycle`);
		s.append(c, points.length < 6 ? svg('text', {x: X(clamp(p.x, 0.01, 1e4)) + 9, y: Y(p.y) + 4}, p.k.kernel) : '');
	});
	s.append(svg('text', {x: (x0 + x1) / 2, y: h - 8, 'text-anchor': 'middle', class: 'soft'}, 'instructions of threads for each byte from or to DRAM'),
		svg('text', {x: 12, y: (y0 + y1) / 2, 'text-anchor': 'middle', class: 'soft', transform: `rotate(-90 12 ${(y0 + y1) / 2})`}, 'instructions a cycle'));
	const none = kernels.length - points.length;
	return el('div', {}, el('h3', {}, 'Roofline'), s, none ? el('p', {}, `${none} launch${none === 1 ? '' : 'es'} without DRAM traffic not drawn.`) : null);
}
function occupancyPlots() {
	return (data.occupancy || []).map(o => {
		const rows = o.sizes.map(x => x.result || {}).filter(r => r.blocks_per_core !== undefined);
		if (!rows.length)
			return null;
		const w = 460, h = 190, x0 = 40, y1 = h - 34, bw = (w - x0 - 8) / rows.length, s = svg('svg', {viewBox: `0 0 ${w} ${h}`, width: w, height: h});
		for (const v of [0, 0.5, 1])
			s.append(svg('path', {d: `M${x0} ${y1 - v * (y1 - 12)}H${w}`, class: 'axis'}), svg('text', {x: x0 - 5, y: y1 - v * (y1 - 12) + 4, 'text-anchor': 'end', class: 'soft'}, 100 * v + ' %'));
		rows.forEach((r, k) => {
			const used = r.block === Math.ceil(o.threads / 32) * 32;
			const b = svg('rect', {x: x0 + k * bw + 1, y: y1 - r.occupancy * (y1 - 12), width: bw - 2, height: r.occupancy * (y1 - 12), fill: used ? colours[3] : colours[0]});
			hover(b, () => `${r.block} threads: ${r.blocks_per_core} blocks, ${r.warps_per_core} of ${r.max_warps} warps, ${percent(r.occupancy, 1)}\nlimited by ${r.limited_by.join(', ')}\n${r.registers} registers a thread, ${r.shared_bytes} bytes of shared memory`);
			s.append(b);
			if (k % Math.ceil(rows.length / 8) === 0)
				s.append(svg('text', {x: x0 + (k + 0.5) * bw, y: y1 + 14, 'text-anchor': 'middle', class: 'soft'}, r.block));
		});
		s.append(svg('text', {x: (x0 + w) / 2, y: h - 5, 'text-anchor': 'middle', class: 'soft'}, 'threads in a block'));
		const now = rows.find(r => r.block === Math.ceil(o.threads / 32) * 32);
		return el('div', {}, el('h3', {}, 'Occupancy of ' + rows[0].kernel), now ? el('p', {}, `${o.threads} threads in a block: ${percent(now.occupancy, 1)}, limited by ${now.limited_by.join(', ')}.`) : null, s);
	});
}
function costliest() {
	const rows = (summary.lines || []).map(l => {
		const own = [...instructions.values()].filter(i => [i.ptx, i.cuda].some(p => p && p[1] === l.at.line && fileName(p[0]) === l.at.file));
		const waits = {};
		for (const i of own)
			for (const [k, v] of Object.entries((i.more && i.more.waits) || {}))
				if (k !== 'ready')
					waits[k] = (waits[k] || 0) + v;
		const worst = Object.entries(waits).sort((a, b) => b[1] - a[1])[0];
		const file = program.files.find(f => f.name === l.at.file), text = file ? (file.text.split('\n')[l.at.line - 1] || '').trim() : '';
		const more = own.map(i => i.more).filter(Boolean), accesses = sum(more.map(m => m.accesses)), transactions = sum(more.map(m => m.transactions));
		let why = worst ? `${worst[0]}: ${num(worst[1])} cycles of warps` : '';
		if (accesses && transactions > accesses)
			why += `; ${num(transactions / accesses)} transactions an access`;
		return [l.at.file + ':' + l.at.line, text, l.executions, l.cycles, why];
	});
	return rows.length ? [el('h3', {}, 'Costliest lines'), table(['<Line', '<', 'Executions', 'Cycles', '<Why: warps waited in front of it for'], rows, {id: 'costliest'})] : null;
}
function drawSummary() {
	const tiles = [tile(num(summary.launches || 0), 'launches')];
	if (summary.mode === 'performance')
		tiles.push(tile(num(summary.cycles), 'cycles'), tile(num(summary.instructions_per_cycle), 'instructions of threads a cycle'), tile(num(summary.warp_instructions_per_cycle), 'instructions of warps a cycle'));
	tiles.push(tile(num(summary.instructions), 'instructions of threads'), tile(num(summary.active_lanes) + ' of 32', 'lanes active'));
	const keys = launches.length ? Object.keys(launches[0]).filter(k => k !== 'focus') : [];
	section('summary', 'Summary', el('div', {class: 'tiles'}, tiles),
		launches.length ? [el('h3', {}, 'Launches'), table(keys.map(k => (k === 'name' ? '<' : '') + k), launches.map(l => keys.map(k => Array.isArray(l[k]) ? '(' + l[k].join(',') + ')' : l[k] ?? '-')), {id: 'launches'})] : null,
		summary.mode === 'performance' ? null : el('p', {}, 'Functional mode counts instructions; cycles, stalls, caches and DRAM need performance mode.'),
		data.again && data.again.error ? el('p', {}, 'Without running launch ' + data.again.launch + ' again: ' + data.again.error + '. Diagrams, accesses and waits of lines are left out.') : null,
		slots(), el('div', {class: 'pair'}, memory(), roofline(), occupancyPlots()), costliest());
}

/* ---- 2 time lapse ---- */

function pick(metric, scope) {
	return samples.series.filter(s => s.metric === metric && s.scope === scope);
}
function totals(metric, scope) {
	const all = pick(metric, scope), out = samples.cycles.map(() => 0);
	for (const s of all)
		s.values.forEach((v, k) => out[k] += v);
	return out;
}
function drawSamples() {
	if (!samples)
		return;
	const n = samples.cycles.length, ends = samples.cycles, starts = ends.map((c, k) => k ? ends[k - 1] : samples.since);
	const width = k => ends[k] - starts[k];
	const lane = k => totals(`lanes_${4 * k + 1}_${4 * k + 4}`, 'core');
	const charts = [
		{title: 'Instructions a cycle', lines: [['all cores', totals('thread_instructions', 'core').map((v, k) => v / width(k)), colours[0]]]},
		{title: 'Warps on the cores', lines: [['warps', totals('warps', 'core'), colours[0]], ['blocks', totals('blocks', 'core'), colours[1]]]},
		{title: 'Issue slots', stack: [['issued', totals('warp_instructions', 'core'), '#009e73'], ['registers', totals('scoreboard', 'core'), '#d55e00'], ['pipeline', totals('pipeline', 'core'), '#e69f00'], ['no instruction', totals('idle', 'core'), '#999999']]},
		{title: 'Active lanes', stack: [0, 1, 2, 3, 4, 5, 6, 7].map(k => [`${4 * k + 1} to ${4 * k + 4}`, lane(k), `hsl(205, 70%, ${88 - 8 * k}%)`])},
		{title: 'Cache misses, %', most: 100, lines: [['L1D', ratio(totals('l1d_misses', 'core'), totals('l1d_accesses', 'core')), colours[0]], ['L2', ratio(totals('l2_misses', 'partition'), totals('l2_accesses', 'partition')), colours[3]]]},
		{title: 'DRAM, %', most: 100, lines: [['utilisation', ratio(totals('dram_data', 'partition'), totals('dram_commands', 'partition')), colours[0]], ['efficiency', ratio(totals('dram_data', 'partition'), totals('dram_active', 'partition')), colours[3]]]},
		{title: 'Flits a cycle', lines: [['to memory', totals('flits_to_memory', 'global').map((v, k) => v / width(k)), colours[0]], ['to cores', totals('flits_to_cores', 'global').map((v, k) => v / width(k)), colours[3]]]},
		{title: 'Memory latency, cycles', lines: [['mean', ratio(totals('latency_cycles', 'global'), totals('latency_requests', 'global'), 1), colours[0]]]},
		heat('Cores: instructions of threads', pick('thread_instructions', 'core'), 'core', width),
		heat('Warp slots of core ' + samples.counted_core + ': instructions issued', pick('issued', 'warp'), 'slot', width),
		heat('Partitions: cycles with data', pick('dram_data', 'partition'), 'partition', width),
		heat('Banks: reads', pick('global_reads', 'bank'), 'bank', width), heat('Banks: writes', pick('global_writes', 'bank'), 'bank', width)].filter(Boolean);
	function ratio(a, b, factor = 100) {
		return a.map((v, k) => b[k] ? factor * v / b[k] : 0);
	}
	let from = samples.since, to = ends[n - 1];
	const box = el('div', {}), range = el('span', {});
	const w = 1100, x0 = 150, x1 = w - 14;
	const X = c => x0 + (c - from) / (to - from) * (x1 - x0);
	function heat(title, list, what, width) {
		if (!list.length)
			return null;
		const most = Math.max(...list.map(s => Math.max(...s.values.map((v, k) => v / (width(k) || 1)))));
		return {title, heat: list.map(s => ({name: what + ' ' + s.unit + (s.bank === undefined ? '' : '.' + s.bank), v: s.values.map((v, k) => v / (width(k) || 1)), raw: s.values})), most};
	}
	function kernelMarks(s, h) {
		for (const k of samples.kernels) {
			if (k.first_cycle > from && k.first_cycle < to)
				s.append(svg('path', {d: `M${X(k.first_cycle)} 0V${h}`, stroke: 'var(--soft)', 'stroke-dasharray': '3 3', fill: 'none'}));
		}
	}
	function draw(c) {
		const rows = c.heat ? c.heat.length : 0, rh = rows > 40 ? 3 : rows > 16 ? 6 : 9, h = c.heat ? rows * rh + 8 : 84;
		const s = svg('svg', {viewBox: `0 0 ${w} ${h}`, width: w, height: h}), y0 = 6, y1 = h - 6;
		const seen = [...ends.keys()].filter(k => ends[k] > from && starts[k] < to);
		c.title.split(': ').forEach((t, k) => s.append(svg('text', {x: 0, y: 16 + 15 * k, class: k ? 'soft' : ''}, k ? t : t + (c.title.includes(': ') ? ':' : ''))));
		if (c.stack) {
			const whole = ends.map((_, k) => sum(c.stack.map(l => l[1][k])) || 1), base = ends.map(() => 0);
			for (const [, v, colour] of c.stack) {
				let d = '';
				for (const k of seen) {
					const a = base[k] / whole[k], b = a + v[k] / whole[k], xa = X(Math.max(starts[k], from)), xb = X(Math.min(ends[k], to));
					if (v[k])
						d += `M${xa.toFixed(1)} ${(y1 - a * (y1 - y0)).toFixed(1)}H${(xb + 0.3).toFixed(1)}V${(y1 - b * (y1 - y0)).toFixed(1)}H${xa.toFixed(1)}z`;
					base[k] += v[k];
				}
				s.append(svg('path', {d, fill: colour}));
			}
		} else if (c.heat) {
			c.heat.forEach((r, i) => {
				const levels = ['', '', '', '', '', ''];
				for (const k of seen)
					if (r.v[k]) {
						const xa = X(Math.max(starts[k], from)), xb = X(Math.min(ends[k], to));
						levels[Math.min(5, Math.floor(6 * r.v[k] / c.most))] += `M${xa.toFixed(1)} ${y0 + i * rh}h${(xb - xa + 0.3).toFixed(1)}v${rh - (rh > 4 ? 1 : 0)}h${(xa - xb - 0.3).toFixed(1)}z`;
					}
				levels.forEach((d, k) => d && s.append(svg('path', {d, fill: `rgba(var(--heat), ${0.18 + 0.16 * k})`})));
			});
		} else {
			const most = c.most || Math.max(...c.lines.map(l => Math.max(...l[1].filter(Number.isFinite)))) || 1;
			s.append(svg('text', {x: x1 - 4, y: y0 + 13, 'text-anchor': 'end', class: 'soft'}, num(most)));
			c.lines.forEach(([, v, colour], i) => {
				const d = seen.map((k, j) => `${j ? 'L' : 'M'}${X(Math.max(starts[k], from)).toFixed(1)} ${(y1 - v[k] / most * (y1 - y0)).toFixed(1)}L${X(Math.min(ends[k], to)).toFixed(1)} ${(y1 - v[k] / most * (y1 - y0)).toFixed(1)}`).join('');
				s.append(svg('path', {d, stroke: colour, fill: 'none', 'stroke-width': 1.6, 'stroke-dasharray': i ? '5 2' : null}));
			});
		}
		const names = c.lines || c.stack;
		if (names && names.length < 5)
			names.forEach(([t, , colour], k) => s.append(svg('rect', {x: 0, y: 26 + 13 * k, width: 9, height: 9, fill: colour}), svg('text', {x: 13, y: 34 + 13 * k, class: 'soft', style: 'font-size:11px'}, t)));
		s.append(svg('rect', {x: x0, y: y0, width: x1 - x0, height: y1 - y0, class: 'axis'}));
		kernelMarks(s, h);
		hover(s, event => {
			const [x, y] = place(s, event), cycle = from + (x - x0) / (x1 - x0) * (to - from), k = ends.findIndex(e => e >= cycle);
			if (x < x0 || k < 0)
				return null;
			const head = `cycles ${num(starts[k])} to ${num(ends[k])}\n`;
			if (c.heat) {
				const r = c.heat[clamp(Math.floor((y - y0) / rh), 0, c.heat.length - 1)];
				return head + r.name + ': ' + num(r.raw[k]);
			}
			const whole = c.stack ? sum(c.stack.map(l => l[1][k])) : 0;
			return head + names.map(([t, v]) => t + ': ' + num(v[k]) + (c.stack ? ' (' + percent(v[k], whole) + ')' : '')).join('\n');
		});
		let down = null;
		s.addEventListener('pointerdown', event => down = place(s, event)[0]);
		s.addEventListener('pointerup', event => {
			const up = place(s, event)[0];
			if (down !== null && Math.abs(up - down) > 6) {
				const a = from + (Math.min(up, down) - x0) / (x1 - x0) * (to - from), b = from + (Math.max(up, down) - x0) / (x1 - x0) * (to - from);
				from = clamp(a, samples.since, ends[n - 1]);
				to = clamp(b, from + 1, ends[n - 1]);
				redraw();
			}
			down = null;
		});
		s.addEventListener('dblclick', () => {
			from = samples.since;
			to = ends[n - 1];
			redraw();
		});
		return s;
	}
	function redraw() {
		range.textContent = `cycles ${num(Math.round(from))} to ${num(Math.round(to))}`;
		const axis = svg('svg', {viewBox: `0 0 ${w} 34`, width: w, height: 34});
		for (let k = 0; k <= 8; k++)
			axis.append(svg('text', {x: x0 + k / 8 * (x1 - x0), y: 30, 'text-anchor': 'middle', class: 'soft'}, num(Math.round(from + k / 8 * (to - from)))));
		for (const k of samples.kernels)
			if ((k.last_cycle ?? to) > from && k.first_cycle < to) {
				const a = X(Math.max(k.first_cycle, from)), b = X(Math.min(k.last_cycle ?? to, to));
				axis.append(svg('rect', {x: a, y: 2, width: Math.max(b - a, 1), height: 13, fill: colours[k.launch % 6], opacity: 0.55}), b - a > 60 ? svg('text', {x: a + 3, y: 12, style: 'font-size:11px'}, k.kernel) : '');
			}
		box.replaceChildren(axis, ...charts.map(draw));
	}
	redraw();
	section('timelapse', 'Time lapse', el('p', {class: 'tools'}, `${n} samples, one every ${num(samples.interval)} cycles. Drag over a chart to zoom, double-click to see all. `, range), box);
}

/* ---- 3 source ---- */

function drawSource() {
	const list = [...instructions.values()];
	if (!list.length)
		return;
	const columns = [['executions', 'Executions', i => i.executions], ['lanes', 'Lanes', i => i.executions ? i.lanes / i.executions : 0, 'mean'], ['cycles', 'Latency', i => i.cycles]];
	if (again) {
		const w = name => i => (i.more && i.more.waits[name]) || 0;
		columns.push(['waits', 'Stalls', i => i.more ? sum(Object.entries(i.more.waits).filter(([k]) => k !== 'ready').map(e => e[1])) : 0], ['scoreboard', 'registers', w('scoreboard')], ['pipeline', 'pipeline', w('pipeline')],
			['barrier', 'barrier', w('barrier')], ['fetch', 'fetch', i => w('fetch')(i) + w('i-miss')(i) + w('hazard')(i)], ['transactions', 'Trans. an access', i => i.more && i.more.accesses ? i.more.transactions / i.more.accesses : 0, 'mean'],
			['banks', 'Bank cycles', i => i.more && i.more.shared_accesses ? i.more.bank_cycles / i.more.shared_accesses : 0, 'mean'], ['dram', 'DRAM bytes', i => i.more ? i.more.dram_bytes : 0], ['divergences', 'Diverged', i => i.more ? i.more.divergences : 0]);
	}
	const hasCuda = list.some(i => i.cuda);
	let by = null;
	const heads = [], ptxRows = new Map(), cudaRows = new Map();
	const most = columns.map(c => Math.max(...list.map(c[2]), 1e-9));
	function cells(values) {
		return values.map((v, k) => el('td', {style: v ? `background:rgba(var(--heat), ${(0.55 * v / most[k]).toFixed(3)})` : ''}, v ? num(v) : ''));
	}
	function choose(items) {
		for (const r of [...ptxRows.values(), ...cudaRows.values()])
			r.classList.remove('on');
		for (const i of items) {
			ptxRows.get(i.index).classList.add('on');
			if (i.cuda && cudaRows.has(i.cuda.join(':')))
				cudaRows.get(i.cuda.join(':')).classList.add('on');
		}
		return items[0];
	}
	function show(row) {
		if (row)
			row.scrollIntoView({block: 'nearest'});
	}
	const body = el('tbody', {});
	function fillPtx() {
		const rows = by === null ? list : [...list].sort((a, b) => columns[by][2](b) - columns[by][2](a));
		body.replaceChildren(...rows.map(i => ptxRows.get(i.index)));
	}
	for (const i of list)
		ptxRows.set(i.index, el('tr', {class: 'line', onclick: () => {
			choose([i]);
			if (i.cuda)
				show(cudaRows.get(i.cuda.join(':')));
		}}, el('td', {}, i.ptx ? i.ptx[1] : ''), el('td', {class: 'code'}, i.text), cells(columns.map(c => c[2](i)))));
	columns.forEach((c, k) => heads.push(el('th', {class: 'sort', onclick: () => {
		by = by === k ? null : k;
		fillPtx();
	}}, c[1])));
	fillPtx();
	const ptx = el('div', {class: 'scroll'}, el('table', {id: 'ptx'}, el('thead', {}, el('tr', {}, el('th', {}, 'Line'), el('th', {class: 'left'}, 'PTX'), heads)), body));
	let cuda = null;
	if (hasCuda) {
		const total = new Map();
		for (const i of list.filter(x => x.cuda)) {
			const key = i.cuda.join(':');
			total.set(key, [...(total.get(key) || []), i]);
		}
		const files = [...new Set(list.filter(i => i.cuda).map(i => i.cuda[0]))];
		const rows = [];
		for (const f of files) {
			const text = program.files[f].text.split('\n'), used = [...total.keys()].filter(k => +k.split(':')[0] === f).map(k => +k.split(':')[1]);
			const a = Math.max(1, Math.min(...used) - 8), b = Math.min(text.length, Math.max(...used) + 4);
			rows.push(el('tr', {}, el('th', {class: 'left', colspan: 5}, program.files[f].name + (program.files[f].is_cut ? ': a large file, only the lines around the instructions that are shown' : ''))));
			for (let line = a; line <= b; line++) {
				if (program.files[f].is_cut && !text[line - 1] && !total.has(f + ':' + line))
					continue;
				const items = total.get(f + ':' + line) || [], cost = sum(items.map(i => i.cycles)), stalls = again ? sum(items.map(columns[3][2])) : 0;
				const all = sum(list.map(i => i.cycles)) || 1, row = el('tr', {class: items.length ? 'line' : '', onclick: () => items.length && show(ptxRows.get(choose(items).index))},
					el('td', {}, line), el('td', {}, items.length ? num(sum(items.map(i => i.executions))) : ''),
					el('td', {style: cost ? `background:rgba(var(--heat), ${(0.9 * cost / all).toFixed(3)})` : ''}, cost ? num(cost) : ''), el('td', {}, stalls ? num(stalls) : ''), el('td', {class: 'code'}, text[line - 1] || ''));
				if (items.length)
					cudaRows.set(f + ':' + line, row);
				rows.push(row);
			}
		}
		cuda = el('div', {class: 'scroll'}, el('table', {id: 'cuda'}, el('thead', {}, el('tr', {}, el('th', {}, 'Line'), el('th', {}, 'Executions'), el('th', {}, 'Latency'), el('th', {}, 'Stalls'), el('th', {class: 'left'}, 'CUDA'))), el('tbody', {}, rows)));
	}
	section('source', 'Source', el('p', {}, 'A click on a line shows its instructions, a click on an instruction its line; a click on a column sorts by it. Latency: cycles of warps from issue to completion. ' +
		(again ? 'Stalls: cycles in which warps stood in front of the instruction, by reason' + (again.looked_every > 1 ? `, from a look every ${again.looked_every} cycles.` : '.') : '')),
		hasCuda ? el('div', {class: 'pair', style: 'grid-template-columns: minmax(380px, 2fr) minmax(420px, 3fr)'}, cuda, ptx) : ptx);
}

/* ---- 4 execution diagram ---- */

function drawWhole() {
	const warps = again.warps, rh = warps.length > 200 ? 3 : warps.length > 60 ? 5 : 9, x0 = 70, w = 1100, n = warps[0].states.length, cw = (w - x0 - 4) / n, h = warps.length * rh + 26;
	const s = svg('svg', {viewBox: `0 0 ${w} ${h}`, width: w, height: h, id: 'whole'}), paths = {};
	let lastCore = -1;
	warps.forEach((r, i) => {
		if (r.core !== lastCore) {
			s.append(svg('text', {x: 0, y: i * rh + 10, class: 'soft', style: 'font-size:11px'}, 'core ' + r.core), svg('path', {d: `M${x0 - 4} ${i * rh}H${w}`, class: 'axis'}));
			lastCore = r.core;
		}
		for (let k = 0; k < n;) {
			let e = k + 1;
			while (e < n && r.states[e] === r.states[k])
				e++;
			if (r.states[k] !== ' ')
				paths[r.states[k]] = (paths[r.states[k]] || '') + `M${(x0 + k * cw).toFixed(1)} ${i * rh}h${((e - k) * cw).toFixed(1)}v${rh - (rh > 4 ? 1 : 0)}h${(-(e - k) * cw).toFixed(1)}z`;
			k = e;
		}
	});
	for (const [k, d] of Object.entries(paths))
		s.append(svg('path', {d, fill: reasonColours[bySymbol[k].word]}));
	for (let k = 0; k <= 8; k++)
		s.append(svg('text', {x: x0 + k / 8 * (w - x0 - 4), y: h - 6, 'text-anchor': k === 8 ? 'end' : 'middle', class: 'soft'}, num(Math.round(again.first_cycle + k / 8 * (again.last_cycle - again.first_cycle)))));
	for (const v of again.windows || [])
		s.append(svg('rect', {x: x0 + (v.first_cycle - again.first_cycle) / again.cycles_per_column * cw, y: 0, width: Math.max(3, (v.last_cycle - v.first_cycle) / again.cycles_per_column * cw), height: h - 22, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 1.5}));
	hover(s, event => {
		const [x, y] = place(s, event), r = warps[Math.floor(y / rh)], k = Math.floor((x - x0) / cw);
		if (!r || k < 0 || k >= n)
			return null;
		const from = again.first_cycle + k * again.cycles_per_column;
		return `core ${r.core}, warp ${r.warp}, ${num(r.issued)} instructions\ncycles ${num(from)} to ${num(from + again.cycles_per_column - 1)}\n${bySymbol[r.states[k]].text}`;
	});
	return [s, legend(Object.keys(paths).map(k => [reasonColours[bySymbol[k].word], bySymbol[k].text]))];
}
const stageColours = ['#b0b0b0', '#d9d9d9', '#f0e442', '#e69f00', '#cc79a7', '#009e73', '#0072b2', '#56b4e9'];
function drawWindow(v) {
	if (v.error || !v.instructions)
		return el('p', {}, v.error || '');
	const first = v.first_cycle, last = v.last_cycle + 40, w = 1100, x0 = 330, scale = Math.max(4, (w - x0) / Math.min(last - first + 1, 220)), total = x0 + (last - first + 1) * scale;
	const X = c => x0 + (clamp(c, first, last + 1) - first) * scale;
	/* states of warps */
	const warps = [...new Set([...v.waits.map(x => x[1]), ...v.instructions.map(i => i.warp)])].sort((a, b) => a - b), row = new Map(warps.map((k, i) => [k, i])), rh = warps.length > 24 ? 8 : 12;
	const top = svg('svg', {viewBox: `0 0 ${total} ${warps.length * rh + 18}`, width: total, height: warps.length * rh + 18, style: 'max-width:none'}), used = new Set();
	for (const k of warps)
		if (rh > 8 || row.get(k) % 2 === 0)
			top.append(svg('text', {x: x0 - 6, y: row.get(k) * rh + 9, 'text-anchor': 'end', class: 'soft', style: 'font-size:10px'}, 'warp ' + k));
	const paths = {};
	for (const [, warp, reason, from, n] of v.waits) {
		const word = reasons[reason].word;
		used.add(word);
		paths[word] = (paths[word] || '') + `M${X(from)} ${row.get(warp) * rh + 1}H${X(from + n)}v${rh - 2}H${X(from)}z`;
	}
	for (const [word, d] of Object.entries(paths))
		top.append(svg('path', {d, fill: reasonColours[word], opacity: 0.75}));
	top.append(svg('path', {d: v.instructions.map(i => `M${X(i.stages[2])} ${row.get(i.warp) * rh}h${scale}v${rh}h${-scale}z`).join(''), fill: reasonColours.issued, stroke: '#000', 'stroke-width': 0.4}));
	for (let c = Math.ceil(first / 20) * 20; c <= last; c += 20)
		top.append(svg('text', {x: X(c), y: warps.length * rh + 13, class: 'soft', style: 'font-size:10px'}, num(c)), svg('path', {d: `M${X(c)} 0V${warps.length * rh}`, class: 'axis'}));
	hover(top, event => {
		const [x, y] = place(top, event), warp = warps[Math.floor(y / rh)], cycle = first + Math.floor((x - x0) / scale);
		const i = v.instructions.find(k => k.warp === warp && k.stages[2] === cycle), q = v.waits.find(k => k[1] === warp && k[3] <= cycle && cycle < k[3] + k[4]);
		return warp === undefined ? null : `warp ${warp}, cycle ${num(cycle)}\n` + (i ? 'issues ' + insnText(i.pc) : q ? reasons[q[2]].text : '');
	});
	/* stages of instructions */
	const shown = v.instructions.slice(0, 240), ih = 13, low = svg('svg', {viewBox: `0 0 ${total} ${shown.length * ih + 4}`, width: total, height: shown.length * ih + 4, style: 'max-width:none'}), lit = svg('g', {});
	shown.forEach((i, k) => {
		low.append(svg('text', {x: 0, y: k * ih + 10, style: 'font-size:11px;font-family:monospace'}, `w${i.warp}`.padEnd(4) + insnText(i.pc).slice(0, 42)));
		const marks = i.stages.map((c, stage) => [c, stage]).filter(([c]) => c !== null).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
		marks.forEach(([c, stage], m) => {
			const end = m + 1 < marks.length ? marks[m + 1][0] : i.done ?? c + 1;
			if (end > c && c <= last)
				low.append(svg('rect', {x: X(c), y: k * ih + 1, width: Math.max(X(end) - X(c), 1), height: ih - 2, fill: stageColours[stage]}));
		});
	});
	low.append(lit);
	hover(low, event => {
		const k = Math.floor(place(low, event)[1] / ih), i = shown[k];
		lit.replaceChildren();
		if (!i)
			return null;
		const producers = (i.producers || []).map(p => v.instructions[p]).filter(Boolean);
		for (const p of [i, ...producers])
			lit.append(svg('rect', {x: 0, y: shown.indexOf(p) * ih, width: total, height: ih, fill: 'none', stroke: p === i ? 'var(--ink)' : 'var(--mark)'}));
		for (const p of producers)
			if (shown.includes(p))
				lit.append(svg('path', {d: `M${X(p.done ?? p.stages[2])} ${shown.indexOf(p) * ih + ih / 2}L${X(i.stages[2])} ${k * ih + ih / 2}`, stroke: 'var(--mark)', 'stroke-width': 1.5, fill: 'none'}));
		const known = instructions.get(i.pc);
		return `${insnText(i.pc)}\n${known ? where(known) : ''}\nwarp ${i.warp}, lanes ${hex(i.lanes)}\n` + i.stages.map((c, stage) => c === null ? '' : `${v.stages[stage]}: cycle ${num(c)}\n`).join('') + (i.done ? `done: cycle ${num(i.done)}` : '') +
			producers.map(p => `\nneeds ${insnText(p.pc)} (issued in cycle ${num(p.stages[2])}${p.done ? ', done in ' + num(p.done) : ''})`).join('');
	});
	return [el('h3', {}, `Core ${v.core}, cycles ${num(v.first_cycle)} to ${num(v.last_cycle)}`), legend([[reasonColours.issued, 'issues'], ...[...used].map(k => [reasonColours[k], reasons.find(r => r.word === k).text])]),
		el('div', {class: 'scroll'}, top), legend(v.stages.map((t, k) => [stageColours[k], t])), el('div', {class: 'scroll'}, low),
		v.instructions.length > shown.length ? el('p', {}, `The first ${shown.length} of ${v.instructions.length} instructions are drawn.`) : null];
}
function drawDiagrams() {
	if (!again || !again.warps.length)
		return;
	section('diagram', 'Execution', el('h3', {}, `Launch ${again.launch}: warps down, cycles across; what each warp did most in ${num(again.cycles_per_column)} cycle${again.cycles_per_column === 1 ? '' : 's'}`), drawWhole(),
		again.windows_error ? el('p', {}, 'Without single stages: ' + again.windows_error + '.') : null, (again.windows || []).map(drawWindow));
}

/* ---- 5 accesses ---- */

function drawAccess(a) {
	const w = 560, s = svg('svg', {viewBox: `0 0 ${w} 190`, width: w, height: 190}), lanes = a.addresses.map((v, k) => [k, v]).filter(([, v]) => v !== null), lx = k => 12 + k * 16.8;
	a.addresses.forEach((v, k) => s.append(svg('rect', {x: lx(k), y: 22, width: 14, height: 14, fill: v === null ? 'none' : colours[0], stroke: 'var(--soft)'})));
	s.append(svg('text', {x: 12, y: 14, class: 'soft'}, 'lanes 0 to 31'));
	if (a.is_shared) {
		const banks = a.banks, bx = k => 12 + k * 537 / banks, used = Array.from({length: banks}, () => new Set());
		for (const [k, v] of lanes) {
			const bank = Math.floor(v / 4) % banks;
			used[bank].add(Math.floor(v / 4));
			s.append(svg('path', {d: `M${lx(k) + 7} 36L${bx(bank) + 6} 138`, stroke: colours[0], fill: 'none', opacity: 0.6}));
		}
		used.forEach((u, k) => s.append(svg('rect', {x: bx(k), y: 138, width: 537 / banks - 3, height: 14, fill: u.size > 1 ? colours[3] : u.size ? colours[2] : 'none', stroke: 'var(--soft)'}), u.size > 1 ? svg('text', {x: bx(k) + 4, y: 149, style: 'fill:#000;font-size:10px'}, u.size) : ''));
		s.append(svg('text', {x: 12, y: 170, class: 'soft'}, `${banks} banks; a number: different words of one bank, one after the other`));
	} else {
		const segments = [...a.segments].sort((p, q) => p.address - q.address), sw = 537 / Math.max(segments.length, 1);
		segments.forEach((g, i) => {
			const x = 12 + i * sw, bytes = new Set();
			for (const [k, v] of lanes)
				if (g.lanes / 2 ** k % 2 >= 1) {
					bytes.add(v);
					s.append(svg('path', {d: `M${lx(k) + 7} 36L${(x + (v - g.address) / g.size_bytes * (sw - 4)).toFixed(1)} 138`, stroke: colours[0], fill: 'none', opacity: 0.6}));
				}
			s.append(svg('rect', {x, y: 138, width: sw - 4, height: 14, class: 'box'}));
			for (const v of bytes)
				s.append(svg('rect', {x: x + (v - g.address) / g.size_bytes * (sw - 4), y: 138, width: Math.max(1, a.size_bytes / g.size_bytes * (sw - 4)), height: 14, fill: colours[2]}));
			if (sw > 70)
				s.append(svg('text', {x, y: 168, class: 'soft', style: 'font-size:11px'}, `${hex(g.address)}, ${g.size_bytes} bytes`));
		});
		const moved = sum(segments.map(g => g.size_bytes));
		s.append(svg('text', {x: 12, y: 186, class: 'soft'}, `${segments.length} transaction${segments.length === 1 ? '' : 's'}, ${num(moved)} bytes for ${num(lanes.length * a.size_bytes)} wanted (${percent(Math.min(lanes.length * a.size_bytes, moved), moved)})`));
	}
	const at = a.ptx ? `${a.ptx.file}:${a.ptx.line}` + (a.source ? ` (${a.source.file}:${a.source.line})` : '') : '';
	return el('div', {}, el('h3', {class: 'code'}, a.instruction), el('p', {}, `${at}; core ${a.core}, warp ${a.warp}, cycle ${num(a.cycle)}: ${a.is_shared ? `${a.bank_cycles} cycle${a.bank_cycles === 1 ? '' : 's'} of shared memory` : `${a.transactions} transaction${a.transactions === 1 ? '' : 's'}`}`), s);
}
function drawAccesses() {
	if (again && again.accesses.length)
		section('accesses', 'Accesses', el('p', {}, 'The costliest loads and stores, each by its worst access: lanes above, the segments of memory or the banks below.'), el('div', {class: 'pair'}, again.accesses.map(drawAccess)));
}

/* ---- 6 control flow ---- */

function drawFlow(f) {
	const n = f.blocks.length, bh = 24, x0 = 60, w = 1100, s = svg('svg', {viewBox: `0 0 ${w} ${n * bh + 10}`, width: w, height: n * bh + 10});
	const placeOf = new Map(f.blocks.map((b, k) => [b.number, k]));
	/* nesting: a block between a branch and where its ways meet lies inside it */
	const depth = f.blocks.map(() => 0);
	f.blocks.forEach((b, k) => {
		if (b.next.length > 1)
			for (let i = k + 1; i < n && f.blocks[i].number < b.meets_at; i++)
				depth[i]++;
	});
	const most = Math.max(...f.blocks.map(b => b.executions), 1);
	f.blocks.forEach((b, k) => {
		const i = instructions.get(b.first) || {}, e = b.executions, lanes = e ? b.lanes / e : 0, last = instructions.get(b.end - 1) || {}, x = x0 + Math.min(depth[k], 12) * 24;
		const g = svg('g', {}, svg('rect', {x, y: k * bh + 3, width: 320, height: bh - 6, class: 'box'}), svg('rect', {x, y: k * bh + 3, width: 320 * lanes / 32, height: bh - 6, fill: `rgba(var(--heat), ${(0.15 + 0.6 * Math.sqrt(e / most)).toFixed(2)})`}),
			svg('text', {x: x + 6, y: k * bh + 16}, e ? `${num(lanes)} lanes, ${num(e)} times` : 'never'), svg('text', {x: x + 330, y: k * bh + 16, class: 'soft', style: 'font-family:monospace;font-size:11px'}, (last.text || '').slice(0, 60)),
			svg('text', {x: 0, y: k * bh + 16, class: 'soft'}, i.cuda ? ':' + i.cuda[1] : i.ptx ? ':' + i.ptx[1] : ''));
		hover(g, () => f.instructions.filter(q => q.index >= b.first && q.index < b.end).slice(0, 24).map(q => q.text).join('\n'));
		s.append(g);
		for (const to of b.next.map(number => placeOf.get(number)).filter(p => p !== undefined))
			if (to <= k) {
				const tx = x0 + Math.min(depth[to], 12) * 24, left = Math.min(x, tx) - 10;
				s.append(svg('path', {d: `M${x} ${k * bh + 14}H${left}V${to * bh + 9}H${tx}`, stroke: colours[3], fill: 'none', 'stroke-width': 1.5}), svg('path', {d: `M${tx} ${to * bh + 9}l-6 -4v8z`, fill: colours[3]}));
			}
			else if (to > k + 1 && to < n)
				s.append(svg('path', {d: `M${x + 320} ${k * bh + 14}h${6 + (k % 4) * 2}V${to * bh + 10}h-4`, stroke: 'var(--soft)', fill: 'none', 'stroke-dasharray': '2 2'}));
	});
	return [el('h3', {}, f.name), n < f.n_blocks ? el('p', {class: 'limit'}, `Shown to keep the page small: ${num(n)} of ${num(f.n_blocks)} blocks, the costliest.`) : null, s];
}
function drawFlows() {
	if (program.functions.length)
		section('flow', 'Divergence', el('p', {}, 'The basic blocks of each kernel in their order, indented between a branch and the place where its ways meet. The bar is as long as the mean number of active lanes, and the darker the more often warps came there. Loops go back on the left.'),
			program.functions.filter(f => f.blocks.length).map(drawFlow));
}

/* ---- 7 memory ---- */

function drawMemory() {
	const list = (result(data.allocations).allocations || []).filter(a => a.bytes).sort((a, b) => a.address - b.address);
	if (!list.length)
		return;
	const w = 1100, all = sum(list.map(a => Math.max(Math.log2(a.bytes), 1))), s = svg('svg', {viewBox: `0 0 ${w} 84`, width: w, height: 84});
	let x = 0;
	list.forEach((a, k) => {
		const part = Math.max(Math.log2(a.bytes), 1) / all * w, live = a.state === 'live';
		s.append(hover(svg('rect', {x, y: 20, width: Math.max(part - 2, 1), height: 34, fill: live ? colours[k % 6] : 'none', stroke: 'var(--soft)', opacity: 0.8}), () => `${a.name}: ${num(a.bytes)} bytes at ${hex(a.address)}, ${a.state}`));
		if (part > 50)
			s.append(svg('text', {x: x + 3, y: 14}, a.name || ''), svg('text', {x: x + 3, y: 68, class: 'soft', style: 'font-size:11px'}, hex(a.address)), svg('text', {x: x + 3, y: 80, class: 'soft', style: 'font-size:11px'}, num(a.bytes) + ' B'));
		x += part;
	});
	section('memory', 'Memory', el('p', {}, 'Device memory by address; the width grows with the logarithm of the size.'), s);
}

/* ---- 8 machine ---- */

function drawMachine() {
	if (!machine)
		return;
	const w = 1100, h = 400, s = svg('svg', {viewBox: `0 0 ${w} ${h}`, width: w, height: h, id: 'machine'}), m = machine;
	const box = (x, y, bw, bh, lines, load) => {
		s.append(svg('rect', {x, y, width: bw, height: bh, rx: 5, class: 'box'}));
		if (load !== undefined)
			s.append(svg('rect', {x, y: y + bh - 5, width: bw * clamp(load, 0, 1), height: 5, fill: colours[3]}));
		lines.forEach((t, k) => s.append(svg('text', {x: x + 8, y: y + 17 + 15 * k, class: k ? 'soft' : ''}, t)));
	};
	const kb = b => b >= 1024 ? num(b / 1024) + ' KiB' : b + ' B', cache = name => m.caches.find(c => c.cache === name), line = c => c ? `${kb(c.size_bytes)}: ${c.sets} sets, ${c.ways} ways, ${c.line_bytes} B lines, ${c.mshrs} MSHRs` : 'none';
	const rate = name => (summary.caches || []).find(c => c.cache === name), missed = name => rate(name) ? `misses ${percent(rate(name).misses, rate(name).accesses)}` : '';
	const sched = summary.schedulers, busy = sched ? sched.issued / sched.cycles : undefined;
	s.append(svg('rect', {x: 10, y: 10, width: 460, height: 380, rx: 8, fill: 'none', stroke: 'var(--soft)', 'stroke-dasharray': '4 3'}), svg('text', {x: 20, y: 28}, `${m.cores} cores in ${m.clusters} clusters, ${num(m.clocks_mhz.core)} MHz`));
	box(25, 40, 430, 56, [`${m.warps_per_core} warps, ${m.blocks_per_core} blocks; fetch, decode`, `L1I ${line(cache('L1I'))}`, missed('L1I')], undefined);
	box(25, 104, 430, 42, [`${m.schedulers} scheduler${m.schedulers === 1 ? '' : 's'}, ${m.issue_width} instruction${m.issue_width === 1 ? '' : 's'} each`, busy === undefined ? '' : `issue in ${percent(busy, 1)} of the cycles`], busy);
	box(25, 154, 430, 28, [`operand collector, ${m.register_banks} register banks`]);
	const units = m.units, uw = 430 / Math.max(units.length, 1);
	units.forEach((u, k) => box(25 + k * uw, 190, uw - 6, 30, [`${u.number} × ${u.unit}`]));
	box(25, 228, 210, 44, [`shared memory ${kb(m.shared_bytes)}`, `${m.shared_banks} banks`]);
	box(243, 228, 212, 44, ['L1D ' + missed('L1D'), cache('L1D') ? `${kb(cache('L1D').size_bytes)}, ${cache('L1D').mshrs} MSHRs` : 'none']);
	box(25, 280, 210, 44, ['L1C ' + missed('L1C'), cache('L1C') ? kb(cache('L1C').size_bytes) : 'none']);
	box(243, 280, 212, 44, ['L1T ' + missed('L1T'), cache('L1T') ? kb(cache('L1T').size_bytes) : 'none']);
	box(560, 110, 130, 180, ['network', `${num(m.clocks_mhz.network)} MHz`, `${m.clusters} + ${m.sub_partitions} nodes`]);
	const flow = (x1, x2, y, text, share) => {
		s.append(svg('path', {d: `M${x1} ${y}H${x2}`, stroke: colours[3], 'stroke-width': 1.5 + 12 * clamp(share, 0, 1), fill: 'none'}), svg('path', {d: `M${x2} ${y}l${x2 > x1 ? -8 : 8} -6v12z`, fill: colours[3]}),
			svg('text', {x: (x1 + x2) / 2, y: y - 12, 'text-anchor': 'middle', style: 'font-size:11px'}, text));
	};
	const cycles = summary.cycles || 1, out = (statistics.icnt_total_pkts_simt_to_mem || 0) / cycles, back = (statistics.icnt_total_pkts_mem_to_simt || 0) / cycles;
	flow(472, 556, 160, `${num(out)} flits/c`, out / m.clusters);
	flow(556, 472, 240, `${num(back)} flits/c`, back / m.clusters);
	s.append(svg('rect', {x: 790, y: 10, width: 300, height: 380, rx: 8, fill: 'none', stroke: 'var(--soft)', 'stroke-dasharray': '4 3'}), svg('text', {x: 800, y: 28}, `${m.partitions} memory partitions`));
	flow(692, 786, 160, `${num(out)} flits/c`, out / m.sub_partitions);
	flow(786, 692, 240, `${num(back)} flits/c`, back / m.sub_partitions);
	box(805, 50, 270, 88, [`${m.sub_partitions / m.partitions} L2 bank${m.sub_partitions === m.partitions ? '' : 's'} each, ${num(m.clocks_mhz.l2)} MHz`, cache('L2 bank') ? `${kb(cache('L2 bank').size_bytes)} each, ${cache('L2 bank').ways} ways` : '', cache('L2 bank') ? `${cache('L2 bank').line_bytes} B lines, ${cache('L2 bank').mshrs} MSHRs` : '', missed('L2')]);
	const d = summary.dram || {};
	box(805, 200, 270, 104, [`DRAM, ${num(m.clocks_mhz.dram)} MHz`, `${m.dram_banks} banks, ${m.dram_bytes_per_cycle} bytes a cycle`, m.dram_queue ? `queue of ${m.dram_queue} requests` : 'unlimited queue', d.cycles ? `data in ${percent(d.data_cycles, d.cycles)} of the cycles` : '', d.requests_per_row ? `${num(d.requests_per_row)} requests a row` : ''], d.cycles ? d.data_cycles / d.cycles : undefined);
	s.append(svg('path', {d: 'M940 138V200', stroke: colours[3], 'stroke-width': 3, fill: 'none'}), svg('text', {x: 950, y: 174, style: 'font-size:11px'}, d.reads !== undefined ? `${num(d.reads)} reads, ${num(d.writes)} writes` : ''));
	section('machine', 'Machine', el('p', {}, 'Configuration ' + m.configuration + '. Orange: load of what it lies on.'), s);
}

/* ---- all of it ---- */

nav.append(el('button', {onclick: () => {
	const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
	root.dataset.theme = dark ? 'light' : 'dark';
}}, 'dark / light'));
for (const part of [drawSummary, drawSamples, drawSource, drawDiagrams, drawAccesses, drawFlows, drawMemory, drawMachine])
	try {
		part();
	} catch (e) {
		main.append(el('p', {class: 'error'}, part.name + ': ' + e));
	}
