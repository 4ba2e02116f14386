/* Names as users write them against demangled ones; those are c++filt's for what nvcc makes of such functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "debug/view/name_match.h"

struct row {
	const char *demangled, *typed;
	int loose, strict;
};

static void names(void **state)
{
	static const struct row rows[] = {
		{"saxpy(int, float*)", "saxpy(int, float*)", 4, 4},
		{"saxpy(int, float*)", "saxpy(int,float *)", 4, 4},
		{"saxpy(int, float*)", "saxpy", 3, 3},
		{"saxpy(int, float*)", "saxp", 0, 0},
		{"void scale<float, 4>(float*)", "scale<float,4>", 3, 3},
		{"void scale<float, 4>(float*)", "scale", 2, 2},
		{"void scale<float, 4>(float*)", "scale(float*)", 2, 2},
		{"void scale<float, 4>(float*)", "scale<float, 8>", 0, 0},
		{"void scale<float, 4>(float*)", "void scale<float, 4>(float*)", 4, 4},
		{"int lin::gemm<8u>(int)", "gemm<8>", 1, 0},
		{"int lin::gemm<8u>(int)", "lin::gemm<8>", 2, 2},
		{"int lin::gemm<8u>(int)", "lin::gemm<8u>", 3, 3},
		{"int lin::gemm<8u>(int)", "gemm<18>", 0, 0},
		{"int lin::gemm<8u>(int)", "::gemm<8>", 0, 0},
		{"int lin::gemm<8u>(int)", "::lin::gemm", 2, 2},
		{"void k<8ul, (char)65, true>(int*)", "k<8, (char)65, true>", 2, 2},
		{"void k8u<3>(int*)", "k8<3>", 0, 0}, /* no number's suffix */
		{"B<int>::tget(int) const", "tget", 1, 0},
		{"B<int>::tget(int) const", "B::tget", 2, 2},
		{"B<int>::tget(int) const", "B<int>::tget", 3, 3},
		{"B<int>::tget(int) const", "B<int>::tget(int)", 2, 2},
		{"B<int>::tget(int) const", "B<int>::tget(int) const", 4, 4},
		{"B<int>::tget(int) const", "tget(int)", 1, 0},
		{"B<int>::tget(int) const", "tget(float)", 0, 0},
		{"B<int>::tget(int) const", "B<float>::tget", 0, 0},
		{"B<int>::tget(int) const", "B", 0, 0},
		{"B<int>::tget(int) const", "get", 0, 0},
		{"int B<int>::plus<7>() const", "B::plus", 2, 2},
		{"int B<int>::plus<7>() const", "B::plus<7>", 2, 2},
		{"int B<int>::plus<7>() const", "plus<8>", 0, 0},
		{"app::list<ns::pair<int, 2> >::at(int)", "list<ns::pair<int, 2>>::at", 1, 0},
		{"(anonymous namespace)::first(int)", "first", 1, 0},
		{"(anonymous namespace)::first(int)", "(anonymous namespace)::first", 3, 3},
		{"_INTERNAL_ab12_7_hash_cu_d405::helper<int>(int*)", "helper", 2, 2},
		{"vec::operator()(int) const", "vec::operator()", 3, 3},
		{"vec::operator()(int) const", "operator()", 1, 0},
		{"bool operator< <int>(vec<int>)", "operator<", 2, 2},
		{"vec::operator bool() const", "operator bool", 1, 0},
		{"vec<int>::operator->()", "vec::operator->", 2, 2},
		{"void tmpl<3>(int*)::A", "tmpl<3>::A", 2, 2},
		{"void tmpl<3>(int*)::A", "tmpl::A", 2, 2},
		{"scale::run(int)::{lambda(int)#1}::operator()(int) const", "scale::run(int)::{lambda(int)#1}::operator()", 3, 3},
		{"scale::run(int)::{lambda(int)#1}::operator()(int) const", "scale::run", 0, 0},
		{"scale::run(int)::{lambda(int)#1}::operator()(int) const", "run(int)::{lambda(int)#1}::operator()", 1, 0},
		{"scale::run(int)::{lambda(int)#1}::operator()(int) const", "operator()", 1, 0},
		{"scale::get() const::{lambda(int)#1}::operator()(int) const", "scale::get::{lambda(int)#1}::operator()", 2, 2},
		{"decltype ({parm#1}+{parm#2}) lab::join<(lab::Op)0, float, long long>(float, long long)", "lab::join", 2, 2},
		{"decltype (({parm#1})<({parm#2})) lab::less<int>(int, int)", "lab::less<int>", 3, 3},
		{"lab::flag<((sizeof ({parm#1}))>(2))> lab::less<int>(int, int)", "lab::less<int>", 3, 3},
		{"int (*pick<3>(int))(float)", "pick<3>", 3, 3},
		{"void tmpl<3>(int*)::A", "tmpl<3>", 0, 0},
		{"void tmpl<3>(int*)::A", "A", 1, 0},
		{"k(int*)::{lambda(int)#1}::operator()(int) const", "k", 0, 0},
		{"f(void (*)(int))", "f", 3, 3},
		{"f", "", 0, 0},
		{"f<", "f<", 4, 4},
		{"", "f", 0, 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		int loose = name_match(r->demangled, r->typed, strlen(r->typed), true);
		int strict = name_match(r->demangled, r->typed, strlen(r->typed), false);
		if (loose != r->loose || strict != r->strict)
			fail_msg("%s for %s: %d, %d", r->typed, r->demangled, loose, strict);
	}
}

static void arguments(void **state)
{
	static const struct {
		const char *s;
		size_t n;
	} rows[] = {
		{"<3>::A", 3},
		{"<float, 4>", 10},
		{"<ns::b<int*>, (char)65>::x", 23},
		{"<-1>", 4},
		{"<int&&>", 7},
		{"<3", 0},
		{"< b && c>::d", 0},
		{"<b || c>::d", 0},
		{"<b?c:d>", 0},
		{"<b+1>", 0},
		{"<>", 0},
		{"3>", 0},
		{"", 0},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (name_template_arguments(rows[i].s) != rows[i].n)
			fail_msg("%s: %zu", rows[i].s, name_template_arguments(rows[i].s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(arguments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
