# Prints a row ARGUMENTS(name, "parameters") for each entry point that the files given define: API(name)(...), DRIVER(name)(...), API_OF(type, name)(...),
# TWIN(name, _ptsz, (...), ...) of per-thread functions and TWIN(name, other, (...), ...) of the driver API.

function rest_of_bracket(s,    k, depth, c) { # s begins behind a '('; returns what is in front of the ')' that closes it
	depth = 1
	for (k = 1; k <= length(s); k++) {
		c = substr(s, k, 1)
		depth += (c == "(") - (c == ")")
		if (!depth)
			return substr(s, 1, k - 1)
	}
	return ""
}

function row(name, parameters) {
	gsub(/[ ]+/, " ", parameters)
	gsub(/^ | $/, "", parameters)
	for (macro in value)
		gsub(macro, value[macro], parameters)
	printf "ARGUMENTS(%s, \"%s\")\n", name, parameters
}

function functions(s,    head, name, second) {
	while (match(s, /(API|DRIVER)\([A-Za-z0-9_]+\) *\(|API_OF\([^(),]*, *[A-Za-z0-9_]+\) *\(|TWIN\([A-Za-z0-9_]+, *[A-Za-z0-9_]+, *\(/)) {
		head = substr(s, RSTART, RLENGTH)
		s = substr(s, RSTART + RLENGTH)
		name = head
		if (head ~ /^TWIN/) {
			sub(/^TWIN\(/, "", name)
			second = name
			sub(/,.*/, "", name)
			sub(/^[^,]*, */, "", second)
			sub(/,.*/, "", second)
			if (second ~ /^_pt/)
				name = name second
		} else {
			if (head ~ /^API_OF\(struct [a-z_]*,/) # the result's address is an argument, too
				continue
			sub(/\) *\($/, "", name)
			sub(/^.*[(, ]/, "", name)
		}
		if (name != "name")
			row(name, rest_of_bracket(s))
	}
}

FNR == 1 {
	functions(text)
	text = ""
}
/^#define [A-Z]+ [a-z]+ [a-z]+,/ { # parameters that several functions share
	words = $0
	sub(/^#define [A-Z]+ /, "", words)
	value[$2] = words
	next
}
{
	gsub(/\t/, " ")
	text = text " " $0
}
END { functions(text) }
