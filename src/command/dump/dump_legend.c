/* `help dp`, `help info cores` and the like: what every field of a dump or table means. docs/manual/machine.md tells the same at greater length. */
#include <string.h>

#include "command/dump/dump.h"

static const char dp[] =
	"What it prints, top to bottom (in brackets: the name for `dp CORE unit NAME`):\n"
	"  shader N at cycle C           core N in front of cycle C; threads placed that have not finished\n"
	"  An instruction in flight: 0x0048 w03[111..]: vecadd PC=0x048 (vecadd.ptx:26) TEXT\n"
	"    its PC, its hardware warp, the lanes that execute it (lane 0 first), function, line, text. bubble: none.\n"
	"  A memory request: mf: uid (number), sid core:w warp, part memory channel, addr, load or store, size in bytes,\n"
	"    what it is for, status = where it is (cycle since when), and the instruction that made it.\n"
	"[warps] per warp functional simulation status: a line per warp placed on the core\n"
	"  npc          next instruction\n"
	"  done:fsie:N  f all threads have exited, s no store outstanding, i nothing in the pipeline, e retired;\n"
	"               N lanes that have finished or don't exist\n"
	"  i s a        instructions in the pipeline (I-buffer included), stores not acknowledged, threads' atomics not returned\n"
	"  (done: ..)   a digit per lane, lane 0 first: 1 finished; active= lanes that run, lane 31 first\n"
	"  last fetched cycle of its last fetch; i-miss pending: waits for the instruction cache\n"
	"[l1i]          instruction cache: MSHRs (lines asked for) with the first request of each, miss queue (not yet sent)\n"
	"[fetch]        IF/ID: what was fetched and is decoded next: warp, pc, bytes\n"
	"[ibuffer]      per warp two decoded instructions\n"
	"[simt]         SIMT stack, bottom to top: entry, lanes (lane 0 first), pc, rp where they meet again (---- never),\n"
	"               tp N normal or C call, cd call depth. The top entry runs.\n"
	"[scoreboard]   per warp the registers to be written: number (name); long: by a load\n"
	"[scheduler]    per scheduler its kind, the warp that issued last, and its warps: instructions issued, and why\n"
	"               the next one can't issue now\n"
	"[barrier]      blocks on the core; barriers somebody has arrived at: who is there, who is missing\n"
	"[collector]    collector units (CU): the instruction whose operands they gather, registers not yet read;\n"
	"               arbiter: reads that wait for each register bank, and what each bank did last\n"
	"[registers]    pipeline registers: ID_OC_* between issue and collectors, OC_EX_* between collectors and units,\n"
	"               EX_WB before writeback\n"
	"[sp] [sfu]     units: dispatch register (taken for the initiation interval), then the stages in use; stage 0 leaves next\n"
	"[ldst]         LD/ST unit: instruction in the access stage, its accesses still to send, the next one first, and what that one\n"
	"               waits for, if it can't be made as things stand; stall condition of the last cycle, by GPGPU-Sim's name:\n"
	"               BK_CONF bank conflict or access still under way, MSHR_RC_FAIL no room in the cache, ICNT_RC_FAIL network full,\n"
	"               COAL_STALL more accesses to come, WB_* a write-back can't go; SHMEM[n] shared-memory pipeline;\n"
	"               wb: load whose registers are written next; Pending register writes: register(accesses still to return);\n"
	"               L1C constant, L1D data cache: MSHRs; L1T texture cache: fragments (look-ups in their order, the oldest below:\n"
	"               a miss waits for its line), requests not yet sent, reorder buffer (lines asked for), results; response\n"
	"               FIFO: replies that came\n"
	"[writeback]    result buses, cycles ahead from the left, the coming one last (1: taken); EX/WB; cycle of the last writeback;\n"
	"               the threads left, if they are few\n"
	"[cluster]      the cluster's response FIFO: replies from the network for its cores\n"
	"With --diff: lines that went (-) and came (+) since the last dp of the core, or of that warp.\n"
	"With --tags: the lines of L1D, L1C and L1T: set, way, address, state, cycles it was allocated, used, filled [l1d, l1c, l1t].\n";

static const char dm[] =
	"Per sub-partition: requests on their way through it, in order\n"
	"  ROP delay       arrived from the network, wait for the fixed delay (-rop_latency)\n"
	"  network to L2, L2 to DRAM, DRAM to L2, L2 to network    queues: used of size\n"
	"  L2              its data and fill port; MSHRs: lines asked for with all who wait; miss queue: not yet sent down\n"
	"  L2 lines        (--tags) set, way, address, state, cycles it was allocated, used, filled\n"
	"Per DRAM controller\n"
	"  credits         places in the L2-to-DRAM path: one of each sub-partition's own, the others shared\n"
	"  DRAM latency    fixed delay (-dram_latency)\n"
	"  input queue, scheduler   requests; FR-FCFS: for which bank and row\n"
	"  bank            open or closed, its row, and timers that run, in command cycles left: RCD activate to column command,\n"
	"                  RCDWR the same for writes, RAS activate to precharge, RP precharge to activate, RC activate to activate,\n"
	"                  WTP write to precharge, RTP read to precharge; requests queued for it, request in service\n"
	"  timers of all   RRD activate to activate of other banks, CCD column command to the next, RTW read to write, WTR write to read\n"
	"  data pipe       bursts on their way to the bus, next first; return queue: finished requests\n"
	"A request: #number what address bytes, and whose.\n";

static const char dicnt[] =
	"Two networks: requests (cores to memory) and replies. Per node: input queue (flits waiting to be injected, of its size),\n"
	"ejection buffer, boundary buffer, packets that have arrived. Per router port and virtual channel (VC): its state\n"
	"(idle, routing, waiting for a VC, active), the flits in its buffer, and for outputs the credits: free places at the other end.\n";

static const char diagram[] =
	"I0, I1 ... are the instructions listed below it, in program order. [I3 ... ] spans the cycles its dispatch register is taken:\n"
	"the initiation interval, or a memory instruction's accesses. `..` leaves out cycles in which nothing changes.\n"
	"Letters say why a warp issued nothing:\n"
	"  s scoreboard   p pipeline register full   b barrier   m memory barrier   a atomic   i instruction cache miss\n"
	"  f empty I-buffer   h control hazard   . ready, but another warp had the scheduler   d done, stores or instructions left\n"
	"compact: one character a cycle. Capital letters say what is issued: A arithmetic, U in the special function unit, L load,\n"
	"S store, T atomic, J jump, call or return, B barrier or fence; - follows while the dispatch register is still taken.\n"
	"Below a warp that is split: lanes, how many of them run, and first, the lowest of those (a is 10, v 31).\n"
	"Both forms are as wide as the terminal, or as `set width` says.\n";

static const char trace[] =
	"A line is: cycle core component: text; - as core is for what belongs to none. The options -trace_enabled 1 and\n"
	"-trace_components A,B switch streams on from the start, -trace_sampling_core chooses a core. #22 is the number of a\n"
	"memory request: trace request 22 prints all that becomes of it from now on, also if it is still to be made; a number that\n"
	"an L1 hit has used up is told.\n";

/* ---- tables ---- */

static const char cores[] =
	"*  the focused thread's core\n"
	"Kernel         launch it is bound to; - none\n"
	"Blocks, Warps, Threads   placed on it and not finished\n"
	"then its warps by what keeps them from issuing (performance mode):\n"
	"  Ready          nothing: they wait for their turn\n"
	"  Scoreboard     a register the next instruction reads or writes is still to be written\n"
	"  Pipeline full  the pipeline register between issue and operand collectors is taken\n"
	"  Fetch          no decoded instruction: instruction cache miss, empty I-buffer, control hazard\n"
	"  At a barrier   bar.sync, until all warps of the block are there\n"
	"  Memory order   a memory barrier or an atomic under way\n"
	"  Done           all threads have exited; stores or instructions are still under way\n"
	"Completed      warp instructions completed so far\n";

static const char scoreboard[] =
	"*  the focused warp\n"
	"PC             next instruction\n"
	"Registers to be written   by instructions under way; (load): by one that reads memory\n"
	"Next instruction   whether it can issue; scoreboard: which register it needs, and which instruction writes that\n";

static const char simt_stack[] =
	"*  the entry that runs\n"
	"Entry          0 is the top; those below wait for it\n"
	"PC, RPC        where its lanes are, and where they meet again with those below (exit: nowhere)\n"
	"Mask           its lanes, lane 0 the lowest bit\n"
	"Depth          calls deep\n"
	"Function, Place   of PC\n";

static const char barriers[] = "For each barrier of the block that somebody has arrived at: warps that wait there, and warps that are missing and where they are.\n";

static const char occupancy[] =
	"Resource       what limits the blocks on a core; how much a block needs, how much a core has, and how many blocks that makes\n"
	"The least is how many blocks a core takes. Registers are counted in fours for each thread of whole warps.\n"
	"Grid, Now (performance mode)   a small grid is spread over all cores; what is on cores at the moment\n";

static const char warps[] =
	"*  the focused warp\n"
	"Core, Warp     hardware warp of a core; In block: its number in its block\n"
	"Lanes          threads that exist; Active: those that execute next; State: ready, at a barrier, done\n"
	"Executed       instructions so far; PC, Place: the next one\n";

const char *dump_legend(const char *command)
{
	static const struct {
		const char *command, *text;
	} rows[] = {{"dp", dp}, {"dpc", dp}, {"dm", dm}, {"dicnt", dicnt}, {"diagram", diagram}, {"trace", trace},
		  {"info cores", cores}, {"info scoreboard", scoreboard}, {"info simt-stack", simt_stack}, {"info barriers", barriers},
		  {"info occupancy", occupancy}, {"info warps", warps}};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (!strcmp(rows[k].command, command))
			return rows[k].text;
	return NULL;
}
