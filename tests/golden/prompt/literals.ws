# prompt
# characters and strings as C writes them: escapes, wide ones, strings side by side, hexadecimal floats
print '\x41'
print '\101'
print L'a'
print u'a'
print U'\u20ac'
print L'a' + 1
whatis L'a'
print "abc" "def"
print L"ab"
print u"a" "b"
print L"ab"[1]
print sizeof(L"abc")
print "a\x41\u00e9"
print "größe"
print 0x1.8p3
print 0x1p-2f
print 0x10
print 'ab'
print "abc
print "a" L"b"
print L"a" u"b"
print ''
print '\u20ac'
print 0x1.8
print 0x.8p1
