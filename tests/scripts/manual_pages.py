"""manual_pages.py ROOT DIR: checks the text of the manual, and leaves the blocks of commands that it shows in DIR.

A code block is one of these:
* a session between `<!-- session: ... -->` or `<!-- gdb session ... -->` and its end: other tests compare it;
* commands between `<!-- commands: FOLDER OPTION... -->` and `<!-- end commands -->`: written to DIR/N.ws without the remarks that stand three
  blanks away, and the marker to DIR/N.from; the caller runs them;
* a fenced block of a language: `text` shows syntax or output, `sh` shell commands, which have to parse and may name only options that exist;
  `json` has to parse. None of them may show a prompt: what a prompt answers is a session.
Blocks that are indented or have no language are errors, and so are links that lead nowhere."""
import glob
import json
import os
import re
import subprocess
import sys

root, out = sys.argv[1:3]
bad = 0
n_commands = 0
LANGUAGES = {"text", "sh", "json", "cpp"}


def wrong(page, line, what):
    global bad
    print(f"{os.path.relpath(page, root)}:{line}: {what}")
    bad += 1


def slug(title):
    title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title.strip()).lower()
    return re.sub(r"[^\w\- ]", "", title).replace(" ", "-")


def anchors(page, known={}):
    if page not in known:
        fence, known[page] = False, set()
        for line in open(page, encoding="utf-8"):
            fence ^= line.startswith("```")
            m = re.match(r"#+ (.*)", line)
            if m and not fence:
                known[page].add(slug(m[1]))
    return known[page]


def links(page):
    for at, line in enumerate(open(page, encoding="utf-8"), 1):
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"https?:", link):
                continue
            name, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
            if not os.path.exists(target):
                wrong(page, at, f"leads nowhere: {link}")
            elif anchor and target.endswith(".md") and anchor not in anchors(target):
                wrong(page, at, f"no such heading: {link}")


def keep_commands(marker, lines):
    global n_commands
    n_commands += 1
    with open(f"{out}/{n_commands}.from", "w", encoding="utf-8") as f:
        f.write(marker + "\n")
    with open(f"{out}/{n_commands}.ws", "w", encoding="utf-8") as f:
        f.writelines(re.sub(r"   +.*", "", line) + "\n" for line in lines)


def shell(page, line, lines, options):
    text = "\n".join(lines) + "\n"
    r = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
    if r.returncode:
        wrong(page, line, f"the shell can't parse this: {r.stderr.strip()}")
    for command in re.findall(r"(?:^|[\s(])(?:\./)?warpstep((?: .*)?)$", text, re.M):
        command = re.sub(r"#.*| --args .*|'[^']*'|\"[^\"]*\"", "", command)
        for option in re.findall(r"\s(--?[a-zA-Z][\w-]*)", command):
            if option not in options:
                wrong(page, line, f"warpstep has no option {option}")


def block(page, at, language, lines, marker, options):
    if marker and marker[0] == "commands":
        keep_commands(marker[1], lines)
        return
    if marker:
        return
    if language not in LANGUAGES:
        wrong(page, at, "a code block without a language: make it a session, commands, or one of " + ", ".join(sorted(LANGUAGES)))
    if any(re.match(r"\((warpstep|gdb)\) ", line) for line in lines):
        wrong(page, at, "shows a prompt, but is no session that is compared")
    if language == "sh":
        shell(page, at, lines, options)
    if language == "json":
        try:
            json.loads("\n".join(lines))
        except ValueError as e:
            wrong(page, at, f"no JSON: {e}")


def blocks(page, options):
    marker, fence, before = None, None, ""
    for at, line in enumerate(open(page, encoding="utf-8").read().split("\n"), 1):
        m = re.match(r"<!-- (session|gdb session|commands)(?:: (.*?))? -->$", line)
        if m and fence is None:
            marker = (m[1], m[2] or "")
        elif re.match(r"<!-- end ", line) and fence is None:
            marker = None
        elif line.startswith("```") and fence is None:
            fence, start, lines = line[3:].strip(), at, []
        elif line.startswith("```"):
            block(page, start, fence, lines, marker, options)
            fence = None
        elif fence is not None:
            lines.append(line)
        elif line.startswith(("    ", "\t")) and not before.strip():
            wrong(page, at, "an indented code block: fence it, and say what it is")
        before = line


def main():
    help_text = subprocess.run([os.environ["WARPSTEP"], "--help"], capture_output=True, text=True).stdout
    options = set(re.findall(r"(?:^|[\s,(])(--?[a-zA-Z][\w-]*)", help_text))
    manual = sorted(glob.glob(f"{root}/docs/manual/**/*.md", recursive=True))
    for page in manual:
        if "/reference/" not in page:
            blocks(page, options)
    for page in manual + glob.glob(f"{root}/docs/*.md") + [f"{root}/{p}" for p in ("README.md", "CONTRIBUTING.md", "examples/README.md", "bench/README.md")]:
        links(page)


main()
sys.exit(bad != 0)
