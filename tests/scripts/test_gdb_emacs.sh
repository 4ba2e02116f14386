# Emacs' gdb-mi on a running warpstep, as docs/manual/gdb-details.md says to start it: the arrow in the source, commands, stepping, the buffers of
# locals, threads, registers, frames and breakpoints.
: "${WARPSTEP:?}" "${ROOT:?}"
command -v gdb >/dev/null && command -v emacs >/dev/null || { echo "no gdb or no emacs"; exit 77; }
. "$ROOT/tests/lib/serve_lanes"
cat >drive.el <<'ELISP'
(require 'gdb-mi)
(defun until (is-done what)
  (with-timeout (20 (message "timed out: %s" what))
    (while (not (funcall is-done)) (accept-process-output nil 0.05))))
(defun shows (what)
  (until (lambda () (with-current-buffer gud-comint-buffer
                      (save-excursion (goto-char (point-min)) (search-forward what nil t)))) what))
;; a command typed while Emacs still asks would be followed by answers from before it
(defun settle ()
  (dotimes (_ 5) (accept-process-output nil 0.1))
  (until (lambda () (not (seq-some #'gdb-handler-pending-trigger gdb-handler-list))) "answers"))
(defun arrow-at (line)
  (until (lambda () (let ((m gud-overlay-arrow-position))
                      (and m (marker-buffer m)
                           (= line (with-current-buffer (marker-buffer m) (line-number-at-pos m))))))
         (format "arrow at %d" line))
  (message "arrow in %s:%d" (buffer-name (marker-buffer gud-overlay-arrow-position)) line)
  (settle))
(defun say (command)
  (with-current-buffer gud-comint-buffer (goto-char (point-max)) (insert command) (comint-send-input)))
(defun buffer-shows (kind what)
  (gdb-get-buffer-create kind)
  (gdb-update)
  (settle)
  (until (lambda () (with-current-buffer (gdb-get-buffer kind)
                      (save-excursion (goto-char (point-min)) (re-search-forward what nil t)))) what)
  (message "%s: %s" kind (with-current-buffer (gdb-get-buffer kind) (goto-char (point-min))
                           (re-search-forward what nil t) (match-string 0))))
(gdb (format "gdb -nx -i=mi -iex \"set confirm off\" -ex \"target remote %s\"" (getenv "SERVER")))
(arrow-at 40)
(say "break 58 if r1 == 40")
(shows "Breakpoint 1 at")
(settle)
(say "continue")
(arrow-at 58)
(gud-next 1)
(arrow-at 59)
(gud-step 1)
(arrow-at 60)
(buffer-shows 'gdb-locals-buffer "r8 +1")
(buffer-shows 'gdb-registers-buffer "laneid.*8")
(buffer-shows 'gdb-threads-buffer "Thread 41 stopped in lanes .*:60")
(buffer-shows 'gdb-stack-buffer "in lanes of .*:60")
(buffer-shows 'gdb-breakpoints-buffer "breakpoint keep y .*:58")
(buffer-shows 'gdb-disassembly-buffer "setp.lt.u32 %p1, %r8, 5;")
ELISP
HOME=$PWD TERM=dumb timeout 100 emacs -Q --batch -l drive.el >got 2>&1
status=0
for what in 'arrow in lanes.ptx:40' 'arrow in lanes.ptx:58' 'arrow in lanes.ptx:59' 'arrow in lanes.ptx:60' 'locals-buffer: r8  *1' 'registers-buffer: ' \
	'threads-buffer: ' 'stack-buffer: ' 'breakpoints-buffer: ' 'disassembly-buffer: '; do
	grep -q -- "$what" got || { echo "no '$what'"; status=1; }
done
! grep -q 'timed out' got || status=1
[ $status = 0 ] || head -c 3000 got
exit $status
