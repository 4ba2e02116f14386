/* Random control flow: nested branches, loops, switches, calls of all kinds. Built for the device by
 * nvcc -arch=sm_75 -G -ptx debug.cu (debug sections and .loc taken out), and for the host with -x c -fwrapv -DSEED=7. */
#ifdef __CUDACC__
#define FN __device__ __noinline__
#else
#include <stdio.h>
#define FN __attribute__((noinline))
#endif
#define W(a,op,b) ((int)((unsigned)(a) op (unsigned)(b)))
typedef int (*fp)(int,int,int);
FN int f0(int a, int b, int d);
FN int f1(int a, int b, int d);
FN int f2(int a, int b, int d);
FN int f3(int a, int b, int d);
FN int f4(int a, int b, int d);
#ifdef __CUDACC__
__device__ fp table[4] = {f0,f1,f2,f3};
#else
static fp table[4]={f0,f1,f2,f3};
#endif
#define CALL(n,x,d) table[n](x,n,d)
FN int f0(int a, int b, int d) { int c = a ^ 0x55, e = W(b,+,0);
  if (((W(W(e,-,c),*,W(e,+,b))) & 1)) return e;
  c = (W((e ^ c),+,W(b,-,c)) ^ e);
  if (((W(b,+,(b & a))) & 2)) return b;
  return a ^ W(b,*,3) ^ W(c,*,5) ^ W(e,*,7); }
FN int f1(int a, int b, int d) { int c = a ^ 0x55, e = W(b,+,1);
  for (int i1 = 0; i1 < (((b & b)) & 7); i1++) {
    for (int i2 = 0; i2 < ((b) & 7); i2++) {
      if (((i2) & 2)) {
        a = -16;
      } else {
        b = i2;
        a = e;
      }
      if (d > 0) b ^= CALL((W(i2,-,W(-7,-,-8))) & 0, c, d - 1);
      a = W(c,-,3);
      b = W(b,*,W(-9,+,W(e,*,i1)));
    }
    if (((W(a,*,a) & W(a,-,c))) <= (W(W(b,*,c),*,W(c,-,b)))) {
      if (((W(c,*,e) & (a ^ i1))) > (b)) break;
      a = (W(e,-,-16) ^ ((a | e) & (b | a)));
      if ((((i1 & e) | (b | i1))) >= (a)) {
        e = W(4,-,((c ^ a) | W(a,*,e)));
        e = b;
        a = 6;
        a = c;
      } else {
        b = (W((a | i1),-,e) & (-10 & (c | a)));
      }
    } else {
      if (d > 0) a ^= CALL((W((W(c,+,a) & W(c,*,e)),*,W(W(b,-,c),+,12))) & 0, a, d - 1);
      if (((-13) & 5)) {
        b = 5;
        c = i1;
      } else {
        c = (e ^ (W(a,+,c) | a));
        e = W(W((i1 | a),+,(c & i1)),+,(i1 | b));
        c = (17 & W(W(c,-,a),-,W(i1,*,c)));
      }
      if (d > 0) b = W(b,+,f0(c, (((e & a) | W(e,*,e)) & (W(c,*,e) ^ W(b,-,b))), d - 1));
    }
    if ((((W(b,+,a) & i1)) & 8)) {
      a = e;
      b = c;
      a = W(b,*,e);
      if ((W(W(c,-,a),*,(a ^ a))) < (W(i1,+,W(c,+,b)))) {
        c = W(W(b,+,(i1 ^ a)),-,((i1 ^ a) ^ a));
        a = a;
        b = (W(-2,-,(c ^ i1)) & ((a & a) | W(a,*,b)));
        e = a;
      } else {
        e = 18;
      }
    }
    if (((e) & 8)) {
      if (d > 0) e = W(e,+,f2(W((W(i1,*,b) & W(a,-,i1)),+,(a & (c & e))), W((W(i1,+,c) ^ 2),-,b), d - 1));
      if ((((W(c,+,c) & c)) & 1)) {
        e = W(e,+,e);
      } else {
        a = e;
        a = i1;
        c = W(a,*,a);
      }
    } else {
      b = e;
      for (int i3 = 0; i3 < (((c | (b ^ i1))) & 3); i3++) {
        c = i3;
        b = W(e,-,(W(e,+,a) & (e | i1)));
        b = (a & i3);
        e = W((e & W(i3,-,a)),+,c);
      }
      for (int i4 = 0; i4 < ((b) & 7); i4++) {
        e = b;
        b = a;
      }
    }
  }
  e = e;
  if (((W((e ^ c),+,(b | b))) & 1)) {
    e = (((c | a) | e) & (c | c));
  } else {
    if (((W(W(a,+,c),+,(a | a))) & 8)) return (b | W(c,+,W(b,*,e)));
    for (int i5 = 0; i5 < ((W((a | c),+,a)) & 3); i5++) {
      if (((((e | c) | b)) & 2)) {
        b = c;
        c = a;
      }
    }
    if (((W(-20,+,W(b,*,a))) & 3)) {
      for (int i6 = 0; i6 < (((-1 & W(e,*,e))) & 1); i6++) {
        a = c;
        b = W(W((i6 ^ i6),+,e),-,i6);
      }
      b = b;
      b = W(-15,+,W(W(c,+,b),-,(a & a)));
      c = e;
    } else {
      if (((e ^ e)) <= (W(b,+,W(e,*,b)))) {
        a = a;
        e = (b & W(b,-,(c & b)));
        c = (e ^ e);
        c = 14;
      } else {
        a = b;
        b = e;
      }
      for (int i7 = 0; i7 < ((e) & 3); i7++) {
        e = ((-4 & W(c,*,b)) | c);
      }
      if ((a) >= (e)) {
        a = c;
      } else {
        b = W((b & e),+,(W(e,-,e) ^ a));
        c = (W(W(a,-,b),-,(c ^ b)) | e);
        b = W(-10,-,b);
      }
    }
  }
  c = W(W((a | a),*,c),-,((a ^ a) & (e & e)));
  return a ^ W(b,*,3) ^ W(c,*,5) ^ W(e,*,7); }
FN int f2(int a, int b, int d) { int c = a ^ 0x55, e = W(b,+,2);
  b = (-4 ^ (c | c));
  for (int i8 = 0; i8 < ((b) & 1); i8++) {
    if (d > 0) b ^= CALL(((W(c,-,W(e,+,a)) & W(-13,-,e))) & 0, W(a,*,(e ^ W(a,*,a))), d - 1);
  }
  switch ((e) & 7) {
  case 3:
    if (((W((b & c),*,a)) & 3)) return a;
  case 0:
    a = (e & c);
    break;
  case 7:
    if (d > 0) c = W(c,+,f1(c, (b & (W(c,-,e) | (a | c))), d - 1));
    break;
  case 6:
    if ((e) < ((W(a,-,b) | W(b,*,a)))) return b;
    break;
  case 4:
    if (((e) & 8)) return W((b ^ 18),-,e);
  default: a ^= 3;
  }
  b = 15;
  for (int i9 = 0; i9 < ((e) & 7); i9++) {
    a = ((W(i9,+,e) | (b | e)) | (b ^ a));
    if (d > 0) a ^= CALL((b) & 0, 5, d - 1);
    b = (2 ^ ((e & i9) | a));
  }
  if (((4 ^ W(a,+,c))) == (((a & e) ^ -12))) {
    b = c;
    b = (W(c,-,W(c,*,a)) & c);
    b = a;
  }
  return a ^ W(b,*,3) ^ W(c,*,5) ^ W(e,*,7); }
FN int f3(int a, int b, int d) { int c = a ^ 0x55, e = W(b,+,3);
  if (((e | (a ^ b))) != (e)) return W(W(W(a,-,e),-,a),-,-11);
  b = W(e,*,b);
  if (((e) & 3)) {
    b = (a | W((c ^ e),+,W(e,-,e)));
    if (((c) & 5)) return a;
  } else {
    switch ((c) & 7) {
    case 1:
      e = W(W((b | b),*,(c | c)),*,((c & c) & (e & c)));
    case 0:
      c = W(1,+,W(c,+,W(c,+,a)));
      break;
    case 5:
      c = W((W(c,*,c) | (e & e)),*,1);
    case 6:
      e = -8;
      break;
    }
    if ((((e & -4)) & 1)) {
      e = 12;
      a = -9;
    }
  }
  return a ^ W(b,*,3) ^ W(c,*,5) ^ W(e,*,7); }
FN int f4(int a, int b, int d) { int c = a ^ 0x55, e = W(b,+,4);
  if ((c) > (W(c,-,(a & a)))) {
    c = ((W(b,*,a) | a) ^ (W(a,+,b) | 12));
  } else {
    for (int i10 = 0; i10 < ((c) & 3); i10++) {
      c = 8;
      b = c;
      a = (a & W(e,-,18));
    }
    for (int i11 = 0; i11 < ((c) & 1); i11++) {
      e = 15;
    }
    if (((10) & 1)) return W(W((c & b),+,2),*,(W(a,-,b) ^ (b ^ c)));
  }
  if ((((c ^ c) ^ W(b,*,e))) < (b)) return W(W(e,+,3),*,(W(a,*,b) | a));
  a = (a | c);
  return a ^ W(b,*,3) ^ W(c,*,5) ^ W(e,*,7); }
#ifdef __CUDACC__
extern "C" __global__ void k(int *out, int seed) { int t = blockIdx.x * blockDim.x + threadIdx.x; int r = f0(t, seed, 2); r = W(r,+,f1(t * 3, r, 2)) ; if (t % 3 == 1) r ^= f4(r, t, 1); out[t] = r; }
#else
int main(void) { for (int t = 0; t < 256; t++) { int r = f0(t, SEED, 2); r = W(r,+,f1(t * 3, r, 2)); if (t % 3 == 1) r ^= f4(r, t, 1); fwrite(&r, 4, 1, stdout); } }
#endif
