# Prints a text file as C string literals, a line each.
{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\\&")
	printf "\"%s\\n\"\n", $0
}
