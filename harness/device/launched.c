/* SPDX-License-Identifier: MIT */
#include "harness/device/device.h"

#include <locale.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <ucontext.h>

static struct problem seen;
static const struct variant *asked;
static void *on_stream;
static int answer;
struct last_launch last_launch;

/* Only launches run on this stack, so that it holds nothing but what variants
 * left there, and need not be cleared. */
enum { STACK_BYTES = 8 << 20, GUARD_BELOW = 1 << 16 };
static char *stack;

void launched_there(void);
void launched_apart(void *stack_end);
extern void *launched_from;

__attribute__((used, noinline)) void launched_there(void)
{
    answer = asked->launch(&seen, on_stream);
    last_launch.to = asked->output && !answer ? asked->output(&seen) : NULL;
    last_launch.why =
        asked->error_text && answer ? asked->error_text(answer) : NULL;
}

#if defined __x86_64__ && !defined LAUNCHED_BY_CONTEXT
/* Calls launched_there() on that stack, with every register 0, in a frame where
 * a backtrace ends. (swapcontext() would make system calls.) */
__attribute__((visibility("hidden"))) void *launched_from;
__asm__(".text\n"
        ".hidden launched_apart\n"
        ".globl launched_apart\n"
        ".type launched_apart, @function\n"
        "launched_apart:\n"
        ".cfi_startproc\n"
        ".irp saved, rbx, rbp, r12, r13, r14, r15\n"
        "push %\\saved\n"
        ".endr\n"
        "mov %rsp, launched_from(%rip)\n"
        "mov %rdi, %rsp\n"
        ".cfi_undefined rip\n"
        ".irp clear, eax, ebx, ecx, edx, esi, edi, ebp, r8d, r9d, r10d, r11d, "
        "r12d, r13d, r14d, r15d\n"
        "xor %\\clear, %\\clear\n"
        ".endr\n"
        ".irp clear, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "pxor %xmm\\clear, %xmm\\clear\n"
        ".endr\n"
        "call launched_there\n"
        "mov launched_from(%rip), %rsp\n"
        ".irp saved, r15, r14, r13, r12, rbp, rbx\n"
        "pop %\\saved\n"
        ".endr\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size launched_apart, . - launched_apart\n");
#else
void launched_apart(void *stack_end)
{
    static ucontext_t first, there, back;
    static bool known;
    if (!known) /* later launches find the same registers */
        getcontext(&first);
    known = true;
    there = first;
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = (size_t)((char *)stack_end - stack);
    there.uc_link = &back;
    makecontext(&there, launched_there, 0);
    swapcontext(&back, &there);
}
#endif

static bool make_stack(void)
{
    char *memory =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, GUARD_BELOW, PROT_NONE))
        return false;
    stack = memory;
    return true;
}

int launched_by(const struct variant *variant, const struct problem *problem,
                void *stream)
{
    enum { NO_MEMORY = 2 }; /* CUDA's number */
    if (!stack && !make_stack())
        return NO_MEMORY;
    seen = *problem;
    asked = variant;
    on_stream = stream;
    const locale_t locale = uselocale((locale_t)0);
    launched_apart(stack + STACK_BYTES);
    uselocale(locale);
    return answer;
}
