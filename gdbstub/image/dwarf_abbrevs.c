/* .debug_abbrev: what the entries that are made here consist of. */
#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf.h"

void dwarf_abbrev(struct text *t, unsigned code, unsigned tag, unsigned children, const unsigned char *pairs)
{
	put_uleb(t, code);
	put_uleb(t, tag);
	put8(t, children);
	for (; *pairs; pairs++)
		put_uleb(t, *pairs);
	put16(t, 0);
}

static void type_abbrevs(struct text *t)
{
	static const unsigned char base[] = {AT_NAME, FORM_STRING, AT_BYTE_SIZE, FORM_DATA1, AT_ENCODING, FORM_DATA1,
					     0};
	static const unsigned char array[] = {AT_TYPE, FORM_REF4, 0};
	static const unsigned char range[] = {AT_TYPE, FORM_REF4, AT_LOWER_BOUND, FORM_DATA1, AT_COUNT, FORM_UDATA, 0};
	static const unsigned char structure[] = {AT_NAME, FORM_STRING, AT_BYTE_SIZE, FORM_DATA1, 0};
	static const unsigned char record[] = {AT_BYTE_SIZE, FORM_UDATA, 0};
	static const unsigned char member[] = {AT_NAME, FORM_STRING, AT_TYPE, FORM_REF4, AT_MEMBER_LOCATION, FORM_DATA1,
					       0};
	static const unsigned char open_range[] = {AT_TYPE, FORM_REF4, AT_LOWER_BOUND, FORM_DATA1, 0};
	dwarf_abbrev(t, ABBREV_BASE, TAG_BASE, 0, base);
	dwarf_abbrev(t, ABBREV_ARRAY, TAG_ARRAY, 1, array);
	/* AT_GNU_VECTOR has a number of two bytes */
	put_uleb(t, ABBREV_VECTOR);
	put_uleb(t, TAG_ARRAY);
	put8(t, 1);
	put_uleb(t, AT_TYPE);
	put_uleb(t, FORM_REF4);
	put_uleb(t, AT_GNU_VECTOR);
	put_uleb(t, FORM_PRESENT);
	put16(t, 0);
	dwarf_abbrev(t, ABBREV_RANGE, TAG_SUBRANGE, 0, range);
	dwarf_abbrev(t, ABBREV_OPEN_RANGE, TAG_SUBRANGE, 0, open_range);
	dwarf_abbrev(t, ABBREV_STRUCT, TAG_STRUCTURE, 1, structure);
	dwarf_abbrev(t, ABBREV_RECORD, TAG_STRUCTURE, 1, record);
	dwarf_abbrev(t, ABBREV_MEMBER, TAG_MEMBER, 0, member);
}

void dwarf_abbrevs(struct text *t)
{
	static const unsigned char unit[] = {AT_PRODUCER, FORM_STRING,	   AT_LANGUAGE,	 FORM_DATA2,	  AT_NAME,
					     FORM_STRING, AT_COMP_DIR,	   FORM_STRING,	 AT_LOW_PC,	  FORM_ADDR,
					     AT_RANGES,	  FORM_SEC_OFFSET, AT_STMT_LIST, FORM_SEC_OFFSET, 0};
	static const unsigned char data_unit[] = {
		AT_PRODUCER, FORM_STRING, AT_LANGUAGE, FORM_DATA2, AT_NAME, FORM_STRING,
		AT_LOW_PC,   FORM_ADDR,	  AT_HIGH_PC,  FORM_DATA8, 0};
	static const unsigned char place_unit[] = {
		AT_PRODUCER, FORM_STRING, AT_LANGUAGE, FORM_DATA2,	AT_NAME, FORM_STRING,
		AT_LOW_PC,   FORM_ADDR,	  AT_RANGES,   FORM_SEC_OFFSET, 0};
	static const unsigned char function[] = {
		AT_NAME,    FORM_STRING, AT_EXTERNAL,	  FORM_PRESENT,	 AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE,
		FORM_UDATA, AT_RANGES,	 FORM_SEC_OFFSET, AT_FRAME_BASE, FORM_EXPRLOC, 0};
	static const unsigned char valued[] = {AT_NAME,	      FORM_STRING,  AT_EXTERNAL, FORM_PRESENT, AT_DECL_FILE,
					       FORM_UDATA,    AT_DECL_LINE, FORM_UDATA,	 AT_RANGES,    FORM_SEC_OFFSET,
					       AT_FRAME_BASE, FORM_EXPRLOC, AT_TYPE,	 FORM_REF4,    0};
	static const unsigned char variable[] = {AT_NAME,     FORM_STRING,  AT_TYPE, FORM_REF4,
						 AT_LOCATION, FORM_EXPRLOC, 0};
	static const unsigned char global[] = {AT_NAME,	     FORM_STRING, AT_TYPE,	FORM_REF4, AT_EXTERNAL,
					       FORM_PRESENT, AT_LOCATION, FORM_EXPRLOC, 0};
	static const unsigned char typed[] = {
		AT_NAME, FORM_STRING, AT_TYPE, FORM_REF_ADDR, AT_EXTERNAL, FORM_PRESENT, AT_LOCATION, FORM_EXPRLOC, 0};
	static const unsigned char block[] = {AT_RANGES, FORM_SEC_OFFSET, 0};
	static const unsigned char origin[] = {AT_NAME, FORM_STRING, AT_INLINE, FORM_DATA1, 0};
	static const unsigned char inlined[] = {AT_ABSTRACT_ORIGIN, FORM_REF4,	  AT_RANGES,
						FORM_SEC_OFFSET,    AT_CALL_FILE, FORM_UDATA,
						AT_CALL_LINE,	    FORM_UDATA,	  0};
	static const unsigned char label[] = {AT_NAME,	  FORM_STRING, AT_DECL_FILE, FORM_UDATA, AT_DECL_LINE,
					      FORM_UDATA, AT_LOW_PC,   FORM_ADDR,    0};
	dwarf_abbrev(t, ABBREV_UNIT, TAG_UNIT, 1, unit);
	dwarf_abbrev(t, ABBREV_DATA_UNIT, TAG_UNIT, 1, data_unit);
	dwarf_abbrev(t, ABBREV_PLACE_UNIT, TAG_UNIT, 1, place_unit);
	dwarf_abbrev(t, ABBREV_FUNCTION, TAG_SUBPROGRAM, 1, function);
	dwarf_abbrev(t, ABBREV_VALUED_FUNCTION, TAG_SUBPROGRAM, 1, valued);
	dwarf_abbrev(t, ABBREV_VARIABLE, TAG_VARIABLE, 0, variable);
	dwarf_abbrev(t, ABBREV_PARAMETER, TAG_PARAMETER, 0, variable);
	dwarf_abbrev(t, ABBREV_GLOBAL, TAG_VARIABLE, 0, global);
	dwarf_abbrev(t, ABBREV_TYPED_GLOBAL, TAG_VARIABLE, 0, typed);
	dwarf_abbrev(t, ABBREV_BLOCK, TAG_BLOCK, 1, block);
	dwarf_abbrev(t, ABBREV_ORIGIN, TAG_SUBPROGRAM, 0, origin);
	dwarf_abbrev(t, ABBREV_INLINED, TAG_INLINED, 1, inlined);
	dwarf_abbrev(t, ABBREV_LABEL, TAG_LABEL, 0, label);
	type_abbrevs(t);
	put8(t, 0);
}
