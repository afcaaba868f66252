/* From the BIOS to start() in 64-bit mode with all vector registers enabled: the boot sector of a
 * disk whose following sectors are the program, at IMAGE. */
#define IMAGE 0x10000  /* where the program is linked to, see image.ld */
#define CHUNK 64       /* sectors read at once: 32 KiB, half a segment */
#define CHUNKS 14      /* up to 0x80000 */
#define TABLES 0x1000  /* three pages of page tables: 1 GiB, mapped to itself */
#define STACK 0x90000

    .code16
    .globl _start
_start:
    cli
    cld
    xorw %ax, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    movw $_start, %sp

    /* the program: extended reads, as %dl, the drive, came from the BIOS */
    movw $CHUNKS, %cx
read:
    pushw %cx
    movw $packet, %si
    movb $0x42, %ah
    int $0x13
    addw $(CHUNK * 512 / 16), packet_segment
    addl $CHUNK, packet_sector
    popw %cx
    loop read
    cli /* the BIOS may have left them on */

    /* address line 20 */
    inb $0x92, %al
    orb $2, %al
    outb %al, $0x92

    /* level 4, level 3, and 512 pages of 2 MiB in level 2: present, writable, large */
    movw $TABLES, %di
    xorl %eax, %eax
    movw $(3 * 4096 / 4), %cx
    rep stosl
    movl $(TABLES + 0x1003), TABLES
    movl $(TABLES + 0x2003), TABLES + 0x1000
    movw $(TABLES + 0x2000), %di
    movl $0x83, %eax
    movw $512, %cx
page:
    movl %eax, (%di)
    addl $0x200000, %eax
    addw $8, %di
    loop page

    movl $TABLES, %eax
    movl %eax, %cr3
    movl %cr4, %eax
    orl $0x40620, %eax /* PAE, OSFXSR, OSXMMEXCPT, OSXSAVE */
    movl %eax, %cr4
    movl $0xc0000080, %ecx /* EFER: long mode */
    rdmsr
    orl $0x100, %eax
    wrmsr
    lgdt descriptors
    movl %cr0, %eax
    andl $~0xc, %eax       /* no emulation, no task switched */
    orl $0x80000003, %eax  /* paging, monitor coprocessor, protection */
    movl %eax, %cr0
    ljmp $8, $long_mode

    .code64
long_mode:
    movw $16, %ax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    movl $STACK, %esp
    xorl %ecx, %ecx
    xorl %edx, %edx
    movl $0xe7, %eax /* x87, xmm, ymm, masks, zmm */
    xsetbv
    movl $IMAGE, %eax
    call *%rax
halt:
    hlt
    jmp halt

    .p2align 3
table:
    .quad 0
    .quad 0x00af9a000000ffff /* code, 64 bits */
    .quad 0x00cf92000000ffff /* data */
descriptors:
    .word . - table - 1
    .long table
packet: /* of the extended read */
    .byte 16, 0
    .word CHUNK, 0
packet_segment:
    .word IMAGE / 16
packet_sector:
    .quad 1

    .org 510
    .word 0xaa55
