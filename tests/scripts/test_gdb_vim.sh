# Vim's termdebug on a running warpstep, as docs/manual/gdb-details.md says to start it: signs of breakpoints and of where it stands, its commands
# for stepping, a value, PTX as assembler.
: "${WARPSTEP:?}" "${ROOT:?}"
command -v gdb >/dev/null && command -v script >/dev/null || { echo "no gdb, or no script(1) to make a terminal"; exit 77; }
. "$ROOT/tests/lib/terminal"
vim --version 2>/dev/null | grep -q '+terminal' || { echo "no vim with +terminal (Debian: vim-nox)"; exit 77; }
. "$ROOT/tests/lib/serve_lanes"
cat >drive.vim <<'VIM'
set nomore
packadd termdebug
func Say(what)
  call writefile([a:what], 'got', 'a')
endfunc
func Until(condition)
  for i in range(400)
    if eval(a:condition) | return | endif
    sleep 50m
  endfor
  call Say('timed out: ' . a:condition)
endfunc
func Signs(name)
  let found = ''
  for b in getbufinfo()
    for s in sign_getplaced(b.bufnr, {'group': '*'})[0].signs
      let found ..= s.name =~ a:name ? fnamemodify(b.name, ':t') . ':' . s.lnum . ' ' : ''
    endfor
  endfor
  return found
endfunc
func Shows(name, where)
  call Until('Signs("' . a:name . '") == "' . a:where . ' "')
  call Say(a:name . ' ' . Signs(a:name))
endfunc
func Text(name)
  let lines = []
  for b in getbufinfo()
    if b.name =~ a:name | call extend(lines, getbufline(b.bufnr, 1, '$')) | endif
  endfor
  return join(lines, "\n")
endfunc
let g:termdebugger = ['gdb', '-nx', '-iex', 'set confirm off']
try
  Termdebug
  call Until('exists(":Step") == 2')
  call TermDebugSendCommand('target remote ' . $SERVER)
  call Shows('PC', 'lanes.ptx:40')
  Source
  call cursor(58, 1)
  Break
  call Shows('Breakpoint', 'lanes.ptx:58')
  Continue
  call Shows('PC', 'lanes.ptx:58')
  Over
  call Shows('PC', 'lanes.ptx:59')
  Step
  call Shows('PC', 'lanes.ptx:60')
  Evaluate r8
  call Until('execute("messages") =~ "\"r8\": "')
  call Say(matchstr(execute('messages'), '"r8": [0-9]*'))
  Asm
  call Until('Text("asm-listing") =~ "setp.lt"')
  call Say(matchstr(Text('asm-listing'), 'setp.lt.u32 %p1, %r8, 5;'))
catch
  call Say('exception: ' . v:exception)
endtry
qa!
VIM
HOME=$PWD TERM=xterm timeout 100 script -qfec "stty rows 50 cols 120; vim -u NONE -i NONE -n -N -S drive.vim" screen </dev/null >/dev/null 2>&1
status=0
for what in 'PC lanes.ptx:40' 'Breakpoint lanes.ptx:58' 'PC lanes.ptx:58' 'PC lanes.ptx:59' 'PC lanes.ptx:60' '"r8": 1' \
	'setp.lt.u32 %p1, %r8, 5;'; do
	grep -qF -- "$what" got || { echo "no '$what'"; status=1; }
done
! grep -qE 'timed out|exception' got || status=1
[ $status = 0 ] || head -c 3000 got
exit $status
