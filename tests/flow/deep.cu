/* Random control flow: nested branches, loops, switches, calls of all kinds. Built for the device by
 * nvcc -arch=sm_75 -O3 -ptx deep.cu, and for the host with -x c -fwrapv -DSEED=7. */
#ifdef __CUDACC__
#define FN __device__ __noinline__
#else
#include <stdio.h>
#define FN __attribute__((noinline))
#endif
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
FN int f0(int a, int b, int d) { int c = a ^ 0x55, e = b + 0;
  for (int i1 = 0; i1 < ((((b & c) * (c & a))) & 3); i1++) {
    e = (((i1 * b) | a) | -2);
    if (d > 0) a ^= CALL(((((i1 * i1) - -9) + (20 + (a & a)))) & 1, e, d - 1);
    b = (((e * c) ^ (e + c)) | b);
    e = (((a ^ c) ^ (e ^ i1)) | (5 ^ 0));
  }
  b = (((c - e) * (c * a)) * ((a + a) | (b - a)));
  a = (((a - b) + (b + b)) & (11 * (a + e)));
  if (((-12) & 3)) return e;
  return a + b * 3 + c * 5 + e * 7; }
FN int f1(int a, int b, int d) { int c = a ^ 0x55, e = b + 1;
  a = (b - (e - (b ^ a)));
  c = c;
  a = (-2 & (a * e));
  if (d > 0) c ^= CALL((b) & 3, (4 ^ b), d - 1);
  for (int i2 = 0; i2 < ((b) & 3); i2++) {
    if ((((e | e) ^ e)) != (((b * a) ^ b))) return 10;
  }
  if (d > 0) b += f3((((a - e) & (e & a)) + ((b & e) ^ e)), (c | b), d - 1);
  return a + b * 3 + c * 5 + e * 7; }
FN int f2(int a, int b, int d) { int c = a ^ 0x55, e = b + 2;
  if (d > 0) a ^= CALL((((-18 - (e - c)) * -13)) & 0, c, d - 1);
  c = ((-4 & -2) | ((c - e) - (e * c)));
  if (((e & (e | a))) == (((c ^ b) * (c * a)))) return 17;
  if (d > 0) c += f3(b, (b | c), d - 1);
  for (int i3 = 0; i3 < ((((a ^ b) - c)) & 7); i3++) {
    if (((c) & 2)) {
      a = (((e & a) & (i3 & e)) - i3);
    } else {
      if ((((c | (c * i3))) & 2)) return b;
      c = ((b - e) - (i3 ^ 4));
      a = c;
      c = b;
    }
    a = (i3 ^ ((e | c) & c));
    if (((-10 & c)) <= (i3)) {
      for (int i4 = 0; i4 < (((11 ^ (i3 - i3))) & 3); i4++) {
        c = ((4 & -1) | c);
        b = ((i3 & (i3 - b)) | ((i4 & c) | (b & a)));
        e = (((a * i3) - (b * b)) * (i3 * e));
        c = (i3 - -12);
      }
      if (((((b | c) + (b ^ i3))) & 1)) {
        e = (((e + a) - i3) + ((i3 ^ a) | i3));
        e = (((a ^ b) * (e | i3)) ^ (b ^ 1));
      } else {
        a = c;
        b = ((c ^ a) ^ (-8 + (e * c)));
        e = (c - ((e - e) + (e - a)));
        b = (((i3 ^ a) * (e | b)) * i3);
      }
    } else {
      if ((c) != (b)) {
        b = ((i3 * (b & c)) + b);
      }
      c = e;
    }
  }
  return a + b * 3 + c * 5 + e * 7; }
FN int f3(int a, int b, int d) { int c = a ^ 0x55, e = b + 3;
  switch ((a) & 7) {
  case 0:
    for (int i5 = 0; i5 < ((c) & 7); i5++) {
      if (((e ^ (a - e))) != (-13)) return (-17 * i5);
    }
    break;
  case 6:
    for (int i6 = 0; i6 < (((a | (a + b))) & 3); i6++) {
      for (int i7 = 0; i7 < (((b - (c - a))) & 7); i7++) {
        if (d > 0) b += f3(((-3 & -1) * (c | (c + e))), (i6 + b), d - 1);
        if (d > 0) b += f2(i6, (i6 | i6), d - 1);
        if ((((i7 + e) ^ (c * i6))) != (15)) break;
        if (d > 0) e += f4(e, ((i6 + -1) * ((i6 & i6) ^ (c | b))), d - 1);
      }
      if (((c - (e * c))) >= (e)) {
        if (((((c + i6) * -2)) & 3)) break;
        a = (14 + ((b | i6) & (b & c)));
        switch (((i6 & (i6 - b))) & 7) {
        case 6:
          b = ((c & (e | c)) - ((i6 & a) | c));
          break;
        case 2:
          e = (c & 16);
          break;
        case 0:
          e = ((a - i6) & (i6 & (b * b)));
          break;
        case 7:
          c = ((c & (c & i6)) + (b * (c * e)));
          break;
        case 5:
          b = -18;
          break;
        }
        if (((i6) & 2)) continue;
      } else {
        if (((-16) & 1)) {
          a = a;
          b = i6;
        }
      }
    }
    break;
  case 4:
    if (((1) & 1)) return e;
    break;
  case 1:
    for (int i8 = 0; i8 < ((((b * e) & (a + b))) & 7); i8++) {
      if (d > 0) b += f2(13, (i8 * c), d - 1);
      e = e;
    }
  default: a += 3;
  }
  switch ((b) & 7) {
  case 0:
    if (d > 0) a ^= CALL(((((e | a) | -17) | c)) & 3, e, d - 1);
    break;
  case 1:
    c = (b + e);
    break;
  case 7:
    a = 5;
    break;
  case 3:
    e = (((b + c) + (b | a)) & ((b + e) & (c & e)));
    break;
  case 2:
    if ((((-15 | e)) & 3)) {
      if ((a) == (e)) {
        if ((((c ^ (e & a))) & 2)) {
          c = ((e + e) + -10);
        }
        if (d > 0) e ^= CALL((e) & 1, ((c * (c ^ b)) & ((e + c) | (e * e))), d - 1);
        c = 11;
      } else {
        b = ((e - (c * c)) - (c ^ b));
        switch ((e) & 7) {
        case 0:
          c = (c - -18);
          break;
        case 3:
          c = (b ^ ((c ^ e) + e));
          break;
        case 5:
          e = (((b ^ c) * a) ^ (-11 ^ (e * a)));
        case 1:
          a = e;
        case 4:
          a = 4;
        default: a += 3;
        }
        if ((((c + c) - (a + a))) >= (((c & e) - (e | a)))) {
          a = a;
          c = a;
          e = (((c ^ e) + (e & b)) * (12 | (a | b)));
          b = ((c * (c * a)) * e);
        } else {
          c = c;
        }
      }
      c = (e + b);
      c = a;
      c = (((c + b) ^ (a ^ c)) - ((c + e) + b));
    } else {
      if (d > 0) e ^= CALL(((((a - a) - (e | a)) | ((b - c) + (e & c)))) & 0, 10, d - 1);
      e = (((a - b) & (b ^ b)) - (e + (b - a)));
      for (int i9 = 0; i9 < ((e) & 3); i9++) {
        c = i9;
        c = c;
      }
    }
    break;
  default: a += 3;
  }
  for (int i10 = 0; i10 < ((((b ^ a) - (c * c))) & 1); i10++) {
    for (int i11 = 0; i11 < ((-3) & 3); i11++) {
      e = (i10 | i10);
      if ((((e ^ b) + (a | c))) == ((b - (i10 * i10)))) {
        for (int i12 = 0; i12 < ((((a + c) - e)) & 7); i12++) {
          e = c;
          c = e;
          c = c;
        }
        if ((16) > (((i10 * e) * (e - i11)))) {
          c = ((e ^ (a & i10)) - (i10 & (a & b)));
          a = ((c & b) ^ ((b ^ a) - (c | i10)));
        }
        if (d > 0) b ^= CALL(((c + i10)) & 3, a, d - 1);
        e = (((c - a) ^ (b | i11)) + (i11 - c));
      }
    }
    if (((c) & 3)) {
      for (int i13 = 0; i13 < (((e * (c | i10))) & 1); i13++) {
        a = (((a ^ a) * (i10 * b)) * ((e & c) + (i10 & i13)));
        c = i10;
        if ((((a | b) & (c * e))) < ((c ^ (i13 + i10)))) {
          c = (((i13 ^ e) | (c * i10)) & 1);
          e = -6;
        }
        for (int i14 = 0; i14 < ((((i13 * a) ^ 0)) & 1); i14++) {
          c = -17;
          e = (((a * i14) + (c - c)) * c);
          e = (((a | e) * (i10 | b)) & i13);
        }
      }
      if ((a) >= (((a - b) & (c - e)))) return c;
      e = (((b + b) * (c & c)) | i10);
      if ((((c * a) - (e | a))) < (((a | i10) ^ (i10 * c)))) {
        if ((((b * e) + (e ^ b))) != (c)) return (((a ^ e) & (c - i10)) | ((c | c) + (e ^ c)));
        if (((-5) & 3)) return -15;
        b = ((b | (c ^ i10)) * (i10 - (c * i10)));
        c = (((b & c) ^ e) ^ ((c - e) + e));
      } else {
        if ((((i10 ^ i10) | 9)) >= (((e | a) * (a ^ i10)))) {
          c = ((a | 17) * (-15 - (i10 - e)));
          b = b;
          b = (((e & c) - (i10 + e)) * -19);
        } else {
          e = 20;
          c = ((c & (c & b)) - (a + e));
          b = (((a + a) + (i10 & b)) - a);
        }
        if (d > 0) a += f0((((c + a) & i10) | ((e | e) & c)), (((i10 + i10) * (b + e)) ^ 13), d - 1);
        if (d > 0) a ^= CALL((((i10 - e) | ((c ^ e) - b))) & 0, a, d - 1);
        if (((((a ^ b) - (a - i10))) & 5)) {
          c = (((e ^ a) * i10) ^ ((b - a) * 9));
          c = (((b & e) - (a & c)) & i10);
          a = (a + e);
        } else {
          c = (((i10 * a) * c) | i10);
          e = (i10 ^ 0);
        }
      }
    } else {
      if ((((e & i10) + (a - i10))) > (e)) return (((e & a) - (c + i10)) ^ b);
      for (int i15 = 0; i15 < ((6) & 1); i15++) {
        if (((c) & 8)) {
          a = -5;
          a = ((b * (a | a)) ^ -17);
          a = (((i10 ^ c) - (i10 | e)) * (e + i15));
          e = -18;
        }
        for (int i16 = 0; i16 < ((((a | a) ^ c)) & 7); i16++) {
          a = (i15 & 19);
        }
        b = (i15 - (b * i10));
      }
      b = i10;
      e = (((i10 & c) * (i10 & a)) & a);
    }
  }
  if (((e) & 3)) {
    if ((5) == (a)) {
      e = b;
      b = (((b & e) + b) ^ ((a ^ e) | b));
      c = b;
    } else {
      for (int i17 = 0; i17 < (((c * (e - b))) & 3); i17++) {
        for (int i18 = 0; i18 < (((c & (e + c))) & 7); i18++) {
          e = (((i18 | c) + (i17 & b)) ^ ((a | i17) * c));
          b = a;
        }
        if (d > 0) c ^= CALL(((((b ^ e) + (b * a)) ^ (i17 + (b & c)))) & 0, (c & ((b & a) * 14)), d - 1);
        if ((((c * e) * (c ^ a))) != (-7)) {
          e = e;
          c = b;
          e = (((a | c) ^ (e * i17)) ^ ((a ^ b) | (a | c)));
          e = ((-7 & -20) * e);
        } else {
          e = b;
        }
      }
    }
    if (((e - c)) < (c)) {
      for (int i19 = 0; i19 < ((-8) & 1); i19++) {
        if (d > 0) b ^= CALL(((((b * b) ^ (c | e)) + a)) & 3, (((i19 | a) & a) + (10 + i19)), d - 1);
      }
      switch ((((c - a) & (e * c))) & 7) {
      case 7:
        if (((b) & 2)) return (a - c);
        break;
      case 5:
        b = ((a ^ c) * e);
        break;
      case 2:
        if (((((c + a) & (e - a))) & 2)) {
          e = e;
          c = (-10 | e);
          c = (a & -17);
          c = ((c ^ (b + c)) | b);
        }
        break;
      }
      for (int i20 = 0; i20 < (((-5 & b)) & 7); i20++) {
        a = (((c * b) & (i20 * c)) & (b & (a ^ c)));
        if (((e) & 3)) {
          e = (b - ((e & e) | (e * a)));
        }
      }
    } else {
      for (int i21 = 0; i21 < ((((a | e) & (b ^ c))) & 3); i21++) {
        for (int i22 = 0; i22 < ((2) & 1); i22++) {
          c = ((i22 * (e + i22)) - 3);
        }
        if (d > 0) b ^= CALL(((((e ^ c) + e) & ((b - i21) * i21))) & 0, e, d - 1);
        switch ((i21) & 7) {
        case 2:
          a = b;
          break;
        case 3:
          b = b;
        case 1:
          c = (((b | i21) | (e + b)) & ((b * e) - (i21 | c)));
          break;
        case 0:
          c = ((i21 + (e | i21)) - (-1 * -14));
          break;
        case 6:
          a = 3;
        case 4:
          c = c;
          break;
        }
      }
    }
    if (d > 0) e ^= CALL((((c * c) ^ ((e ^ a) + (e * b)))) & 3, b, d - 1);
    a = (e ^ ((e - e) & b));
  } else {
    if (((e) & 2)) {
      for (int i23 = 0; i23 < (((c + a)) & 7); i23++) {
        for (int i24 = 0; i24 < ((((b | c) | i23)) & 3); i24++) {
          b = (((a ^ b) - (b * e)) | ((c + i24) & (e - i24)));
        }
      }
      e = (((b & b) & -14) + a);
      if ((((a * a) ^ (e + c))) >= (e)) {
        switch ((c) & 7) {
        case 1:
          e = (((c ^ c) - -4) - -20);
        case 0:
          e = ((a + (a - b)) | b);
        case 2:
          b = -9;
        case 7:
          a = -3;
          break;
        default: a += 3;
        }
        if (d > 0) c += f0((((a ^ a) * e) + -7), (((c * c) - c) + ((b + e) ^ (e * b))), d - 1);
        if ((((16 * (a ^ c))) & 8)) return ((b - (e ^ b)) * (e | (c & e)));
      } else {
        e = (c ^ b);
        if ((((b - e)) & 5)) {
          b = a;
        } else {
          e = (a | 15);
          a = c;
          b = ((b - (e + a)) * ((e - a) - (a & e)));
          b = (b + e);
        }
      }
      if ((c) <= ((b * (c - e)))) return 13;
    } else {
      e = a;
      for (int i25 = 0; i25 < ((((b & b) * -11)) & 1); i25++) {
        if ((((c * e) - 5)) != (((a - b) + a))) return e;
      }
      switch ((((a & e) * a)) & 7) {
      case 7:
        for (int i26 = 0; i26 < ((a) & 7); i26++) {
          b = (c ^ (c ^ -7));
        }
        break;
      case 3:
        switch (((e + (a | e))) & 7) {
        case 3:
          c = 7;
          break;
        case 6:
          e = 14;
        case 0:
          e = e;
        default: a += 3;
        }
        break;
      case 0:
        if (((a - (e + c))) < ((b & (b ^ b)))) {
          e = (13 & ((e + c) + (c + a)));
          e = a;
        }
        break;
      case 2:
        b = (b & (c & (e * c)));
      default: a += 3;
      }
      for (int i27 = 0; i27 < (((b & (a ^ e))) & 3); i27++) {
        if ((i27) < ((a - (e & c)))) {
          c = ((a & (i27 * a)) + (-14 ^ c));
          b = i27;
          e = ((12 ^ 20) - ((e ^ b) - (i27 + c)));
          c = c;
        }
        if ((((i27 + (c | b))) & 3)) continue;
        switch ((((b + c) + (e * c))) & 7) {
        case 0:
          c = (20 * ((c & i27) | i27));
          break;
        case 3:
          a = e;
        case 1:
          b = c;
          break;
        case 4:
          a = (((i27 & c) & (a + c)) ^ i27);
          break;
        case 7:
          a = (a | ((c ^ c) ^ (e ^ e)));
          break;
        case 6:
          c = (((e | b) * (a | c)) - ((b & c) ^ b));
          break;
        case 5:
          e = (c & -11);
        default: a += 3;
        }
      }
    }
  }
  if (((((e ^ b) * e)) & 1)) {
    e = ((c + 20) * ((a * a) | 6));
    if (d > 0) a += f4((e ^ ((b * a) | a)), -10, d - 1);
    if (((c) & 3)) {
      c = c;
    } else {
      if ((b) >= (((a ^ e) & (e * b)))) return (19 ^ (c & (a ^ a)));
      if (((c & (e - a))) < ((e * b))) {
        for (int i28 = 0; i28 < ((a) & 7); i28++) {
          a = b;
          b = e;
          c = (b | a);
        }
        for (int i29 = 0; i29 < ((a) & 7); i29++) {
          c = (((a + e) | (e * i29)) ^ ((i29 & i29) * c));
          a = c;
          e = (a - a);
          c = (((b ^ a) - b) - (e * (c ^ e)));
        }
        if (((((c * c) * (b & a))) & 3)) {
          e = ((b & (a - a)) - ((a & b) * b));
          a = (b ^ ((e * c) & (b & a)));
        }
        switch ((((a + b) + (e | a))) & 7) {
        case 6:
          c = 8;
          break;
        case 2:
          a = (((a * b) + (e - a)) * c);
          break;
        case 1:
          e = (a * (18 * e));
        case 3:
          b = (((a ^ a) ^ (a * c)) - ((a | e) + (a * e)));
          break;
        }
      }
      if ((b) == (((c + e) & b))) {
        if (((b + (b - a))) != (a)) {
          c = ((c - (a | b)) ^ (b & e));
        } else {
          e = e;
          b = b;
          c = (((c & b) ^ (e * e)) & c);
        }
        for (int i30 = 0; i30 < (((a + b)) & 1); i30++) {
          c = a;
          a = e;
          e = (4 | 1);
          e = ((a | e) - ((a * b) + (a ^ i30)));
        }
      } else {
        for (int i31 = 0; i31 < ((b) & 7); i31++) {
          c = ((c | 10) - c);
          c = ((c | (b * c)) & (c + (i31 - b)));
          a = c;
        }
        c = c;
      }
      b = b;
    }
    if (((((a | e) ^ (e + e))) & 3)) {
      c = (((b | e) + (e * e)) * ((e - c) ^ 17));
      b = c;
      if ((b) <= (((e & e) * (e ^ c)))) {
        if (((-6 + (c ^ a))) <= (b)) return e;
      } else {
        for (int i32 = 0; i32 < (((a ^ (e + b))) & 3); i32++) {
          c = ((a | e) + (i32 | (b & e)));
          a = e;
          a = (a ^ ((i32 + b) & (b + c)));
          e = b;
        }
        e = (b * ((c ^ a) | c));
        for (int i33 = 0; i33 < ((10) & 3); i33++) {
          b = c;
        }
      }
    }
  } else {
    if ((((a | a) - a)) < (e)) {
      e = ((-8 - (a * e)) & 12);
    }
  }
  switch ((((a - a) - (c * b))) & 7) {
  case 1:
    if ((9) < ((b - 1))) return 14;
  case 2:
    e = (((c - b) - e) - ((e * e) ^ (c | a)));
  case 0:
    for (int i34 = 0; i34 < ((((b ^ b) | (e + a))) & 7); i34++) {
      if (((i34) & 1)) {
        b = 2;
        c = -13;
        if (((((c - i34) + (b & a))) & 2)) {
          c = (((i34 & c) & (i34 & e)) & ((i34 - i34) & a));
        } else {
          c = a;
          a = -14;
        }
      } else {
        b = (i34 + (-1 ^ (e ^ b)));
        e = c;
        c = ((3 | (c * e)) ^ (i34 & (a | b)));
        for (int i35 = 0; i35 < (((-9 * (a + e))) & 3); i35++) {
          b = i35;
          a = (((b - e) - (i35 - b)) & ((c + e) & (c & b)));
          a = a;
        }
      }
      b = (((e + e) ^ (c - i34)) ^ ((i34 * b) & b));
    }
    break;
  case 4:
    b = b;
    break;
  case 7:
    if (d > 0) b += f0((e + ((e - a) ^ b)), ((b | (a * a)) * (17 * (e ^ c))), d - 1);
  case 5:
    for (int i36 = 0; i36 < ((((b & b) ^ -17)) & 7); i36++) {
      if (((a) & 3)) {
        a = b;
        b = (((e - b) & 1) ^ ((c & c) - (a - i36)));
      } else {
        switch ((e) & 7) {
        case 6:
          b = (((i36 & i36) * (c ^ b)) & ((b + b) & a));
          break;
        case 0:
          a = c;
          break;
        case 5:
          e = ((b * i36) ^ (a ^ c));
          break;
        case 7:
          c = (((c * e) * a) | (9 * (i36 * i36)));
        case 1:
          b = (((a + c) * (e | a)) | a);
          break;
        default: a += 3;
        }
        switch ((18) & 7) {
        case 1:
          c = (((a & a) | e) * c);
          break;
        case 5:
          b = (((a & a) * b) | -7);
          break;
        case 7:
          b = e;
          break;
        case 4:
          b = ((i36 ^ (e + b)) ^ (b & (c - b)));
          break;
        case 2:
          a = (((b ^ c) ^ (e + a)) * a);
          break;
        case 3:
          c = (((b | e) | (b - b)) & a);
          break;
        }
        if ((((c | c) ^ (e | c))) != (a)) return (((a & a) * (e ^ a)) ^ (18 & (a + b)));
      }
    }
    break;
  }
  return a + b * 3 + c * 5 + e * 7; }
FN int f4(int a, int b, int d) { int c = a ^ 0x55, e = b + 4;
  b = (b & ((c & c) & b));
  b = e;
  for (int i37 = 0; i37 < ((((a ^ a) ^ (c ^ a))) & 7); i37++) {
    a = e;
    if (((a) & 1)) {
      for (int i38 = 0; i38 < ((((e & e) + (c + b))) & 3); i38++) {
        if (d > 0) a += f1(((i37 - (i38 | e)) * ((i38 + i38) + (i37 | e))), i38, d - 1);
        c = (((i37 - a) + (e - e)) - (-3 - -12));
        if (((7 | e)) <= (((e & b) + i37))) {
          a = (c | ((a | i37) ^ e));
          c = i37;
          e = i37;
          b = (((c + i38) & (i38 * e)) | ((a & c) - (e * b)));
        } else {
          a = a;
          e = (6 * 16);
          a = 0;
        }
      }
      c = c;
      for (int i39 = 0; i39 < (((i37 - (i37 ^ e))) & 3); i39++) {
        e = (e & i39);
        if (((10) & 5)) continue;
        if (((((a | i39) | (b | a))) & 8)) continue;
      }
    } else {
      a = ((3 & (i37 ^ e)) - ((i37 | c) * (c ^ b)));
      if ((11) < (a)) {
        if (d > 0) c ^= CALL(((((b & c) | (i37 ^ c)) & (-18 * (i37 & c)))) & 0, (((a & c) * -17) - 10), d - 1);
        if ((((b ^ b) | (b | i37))) < ((e * e))) {
          b = b;
          b = (-20 + ((c ^ c) & (i37 * b)));
          b = ((b | b) | b);
          e = (i37 * c);
        }
      }
      if ((i37) != (e)) {
        for (int i40 = 0; i40 < ((17) & 7); i40++) {
          a = (((i40 ^ i37) ^ (c - i40)) - ((i37 | e) & (a & b)));
          b = ((c + (e - e)) ^ 19);
          a = (8 - ((i40 ^ c) + (b + c)));
        }
      } else {
        for (int i41 = 0; i41 < ((i37) & 7); i41++) {
          a = (20 ^ ((a * a) * (c | i41)));
        }
        switch ((1) & 7) {
        case 1:
          c = b;
          break;
        case 6:
          a = (((a - a) | (b * e)) | -14);
          break;
        case 3:
          c = -5;
          break;
        default: a += 3;
        }
      }
    }
  }
  return a + b * 3 + c * 5 + e * 7; }
#ifdef __CUDACC__
extern "C" __global__ void k(int *out, int seed) { int t = blockIdx.x * blockDim.x + threadIdx.x; int r = f0(t, seed, 2); r += f1(t * 3, r, 2) ; if (t % 3 == 1) r ^= f4(r, t, 1); out[t] = r; }
#else
int main(void) { for (int t = 0; t < 256; t++) { int r = f0(t, SEED, 2); r += f1(t * 3, r, 2); if (t % 3 == 1) r ^= f4(r, t, 1); fwrite(&r, 4, 1, stdout); } }
#endif
