"""A program that leads the session of its own pseudo-terminal."""
import os, pty, select, time


class Terminal:
    wrong = 0

    def __init__(self, words, prepare=None):
        self.words = words
        self.screen = b""
        self.here = 0
        self.pid, self.fd = pty.fork()  # the child leads a session
        if not self.pid:
            if prepare:
                prepare()
            os.execvp(words[0], words)

    def shows(self, text):
        """Waits for it behind what was waited for before."""
        end = time.time() + 60
        while time.time() < end:
            at = self.screen.find(text.encode(), self.here)
            if at >= 0:
                self.here = at + len(text)
                return True
            if select.select([self.fd], [], [], 1)[0]:
                try:
                    self.screen += os.read(self.fd, 4096)
                except OSError:
                    break
        print("%s: no '%s' in: %s" % (self.words, text, self.screen.decode(errors="replace")))
        Terminal.wrong = 1
        return False

    def keys(self, text):
        time.sleep(0.3)  # what comes while the terminal's modes change is lost
        try:
            os.write(self.fd, text.encode())
        except OSError:
            pass

    def ends(self):
        """Waits for the program's end."""
        try:
            while os.read(self.fd, 4096):
                pass
        except OSError:
            pass
        os.waitpid(self.pid, 0)
