/* Numbers of DWARF that are read or written here, under the standard's names without DW_ (of what it calls DW_TAG_formal_parameter,
 * DW_TAG_lexical_block, DW_TAG_compile_unit, DW_AT_data_member_location and the like the project leaves the first word out): "DWARF
 * Debugging Information Format, Version 4", section 7. Versions 2 to 5 give what is here the same numbers. */
#ifndef DEBUG_DWARF_NUMBERS_H
#define DEBUG_DWARF_NUMBERS_H

/* Tags of entries (7.5). */
#define TAG_ARRAY 0x01u
#define TAG_CLASS 0x02u
#define TAG_ENUMERATION 0x04u
#define TAG_PARAMETER 0x05u
#define TAG_LABEL 0x0au
#define TAG_BLOCK 0x0bu
#define TAG_MEMBER 0x0du
#define TAG_POINTER 0x0fu
#define TAG_REFERENCE 0x10u
#define TAG_UNIT 0x11u
#define TAG_STRUCTURE 0x13u
#define TAG_SUBROUTINE 0x15u
#define TAG_TYPEDEF 0x16u
#define TAG_UNION 0x17u
#define TAG_INHERITANCE 0x1cu
#define TAG_INLINED 0x1du
#define TAG_MEMBER_POINTER 0x1fu
#define TAG_SUBRANGE 0x21u
#define TAG_BASE 0x24u
#define TAG_CONST 0x26u
#define TAG_ENUMERATOR 0x28u
#define TAG_SUBPROGRAM 0x2eu
#define TAG_VARIABLE 0x34u
#define TAG_VOLATILE 0x35u
#define TAG_RESTRICT 0x37u
#define TAG_NAMESPACE 0x39u
#define TAG_UNSPECIFIED 0x3bu
#define TAG_RVALUE_REFERENCE 0x42u

/* Attributes (7.5). */
#define AT_LOCATION 0x02u
#define AT_NAME 0x03u
#define AT_BYTE_SIZE 0x0bu
#define AT_BIT_OFFSET 0x0cu
#define AT_BIT_SIZE 0x0du
#define AT_STMT_LIST 0x10u
#define AT_LOW_PC 0x11u
#define AT_HIGH_PC 0x12u
#define AT_LANGUAGE 0x13u
#define AT_COMP_DIR 0x1bu
#define AT_CONST_VALUE 0x1cu
#define AT_INLINE 0x20u
#define AT_LOWER_BOUND 0x22u
#define AT_PRODUCER 0x25u
#define AT_UPPER_BOUND 0x2fu
#define AT_ABSTRACT_ORIGIN 0x31u
#define AT_ACCESSIBILITY 0x32u
#define AT_COUNT 0x37u
#define AT_MEMBER_LOCATION 0x38u
#define AT_DECL_FILE 0x3au
#define AT_DECL_LINE 0x3bu
#define AT_DECLARATION 0x3cu
#define AT_ENCODING 0x3eu
#define AT_EXTERNAL 0x3fu
#define AT_FRAME_BASE 0x40u
#define AT_SPECIFICATION 0x47u
#define AT_TYPE 0x49u
#define AT_ENTRY_PC 0x52u
#define AT_RANGES 0x55u
#define AT_CALL_FILE 0x58u
#define AT_CALL_LINE 0x59u
#define AT_DATA_BIT_OFFSET 0x6bu
#define AT_ENUM_CLASS 0x6du
#define AT_LINKAGE_NAME 0x6eu	     /* of version 4 */
#define AT_MIPS_LINKAGE_NAME 0x2007u /* the same before, of those left to vendors */
#define AT_GNU_VECTOR 0x2107u /* GNU's, of those left to vendors */

/* Forms of attributes' values (7.5). */
#define FORM_ADDR 0x01u
#define FORM_BLOCK2 0x03u
#define FORM_BLOCK4 0x04u
#define FORM_DATA2 0x05u
#define FORM_DATA4 0x06u
#define FORM_DATA8 0x07u
#define FORM_STRING 0x08u
#define FORM_BLOCK 0x09u
#define FORM_BLOCK1 0x0au
#define FORM_DATA1 0x0bu
#define FORM_FLAG 0x0cu
#define FORM_SDATA 0x0du
#define FORM_STRP 0x0eu
#define FORM_UDATA 0x0fu
#define FORM_REF_ADDR 0x10u
#define FORM_REF1 0x11u
#define FORM_REF2 0x12u
#define FORM_REF4 0x13u
#define FORM_REF8 0x14u
#define FORM_REF_UDATA 0x15u
#define FORM_SEC_OFFSET 0x17u
#define FORM_EXPRLOC 0x18u
#define FORM_PRESENT 0x19u

/* Operations of expressions (7.7.1). */
#define OP_ADDR 0x03u
#define OP_DEREF 0x06u
#define OP_CONST1U 0x08u
#define OP_CONST8S 0x0fu
#define OP_CONSTU 0x10u
#define OP_CONSTS 0x11u
#define OP_PLUS_UCONST 0x23u
#define OP_LIT0 0x30u
#define OP_LIT31 0x4fu
#define OP_BREG7 0x77u
#define OP_BREG12 0x7cu
#define OP_BREG13 0x7du
#define OP_BREG14 0x7eu
#define OP_REGX 0x90u
#define OP_FBREG 0x91u
#define OP_BREGX 0x92u
#define OP_NOP 0x96u
#define OP_STACK_VALUE 0x9fu
#define OP_CONVERT 0xa8u

/* Encodings of base types (7.8). */
#define ATE_ADDRESS 0x01u
#define ATE_BOOLEAN 0x02u
#define ATE_FLOAT 0x04u
#define ATE_SIGNED 0x05u
#define ATE_SIGNED_CHAR 0x06u
#define ATE_UNSIGNED 0x07u
#define ATE_UNSIGNED_CHAR 0x08u
#define ATE_UTF 0x10u

/* Languages (7.12). */
#define LANG_CPLUSPLUS 0x04u
#define LANG_ASSEMBLER 0x8001u /* DW_LANG_Mips_Assembler */

/* Accessibility (7.9). */
#define ACCESS_PUBLIC 0x01u

/* Standard operations of line tables (7.21). */
#define LNS_COPY 0x01u
#define LNS_ADVANCE_PC 0x02u
#define LNS_ADVANCE_LINE 0x03u
#define LNS_SET_FILE 0x04u

/* Extended ones. */
#define LNE_END_SEQUENCE 0x01u
#define LNE_SET_ADDRESS 0x02u

/* Call frame instructions (7.23). */
#define CFA_UNDEFINED 0x07u
#define CFA_DEF_CFA 0x0cu
#define CFA_OFFSET 0x80u /* and the register in the lower six bits */

#endif
