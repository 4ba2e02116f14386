# Prints a row HEADING("stopping.md", "Stopping", "Watchpoints") for each heading of the manual's pages given, for `apropos`. Code blocks have none.
function plain(s) {
	gsub(/[`*\\]/, "", s)
	gsub(/"/, "\\\"", s)
	return s
}
FNR == 1 {
	page = FILENAME
	sub(/.*\//, "", page)
	title = ""
	is_code = 0
}
/^```/ { is_code = !is_code }
is_code { next }
/^# / && title == "" {
	title = plain(substr($0, 3))
	printf "HEADING(\"%s\", \"%s\", \"\")\n", page, title
}
/^###? / {
	section = $0
	sub(/^#+ /, "", section)
	printf "HEADING(\"%s\", \"%s\", \"%s\")\n", page, title, plain(section)
}
