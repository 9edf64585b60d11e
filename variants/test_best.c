/* SPDX-License-Identifier: MIT
 *
 * Best calls what rules lead to, but nothing that breaks a problem's contracts
 * or its error bound, and for portable bits the same on every GPU. Variants and
 * registry are made up here: no kernel is linked.
 */
#include <string.h>

#include "src/base/test.h"
#include "src/choose/rules.h"
#include "src/pretend.h"
#include "src/verify/verify.h"
#include "variants/built_in_rules.h"
#include "variants/registry.h"

extern const struct variant variants__best__best[];
extern const struct variant variants__best__contracts[];
static const struct variant *const best = variants__best__best;
static const struct variant *const contracts = variants__best__contracts;

static int sms; /* of the facts of the last launch */

static const char *refuses_odd(const struct problem *p)
{
    return p->shape.axis % 2 || (uintptr_t)p->in % 4 ? "odd" : NULL;
}

static bool idles_alone(const struct problem *p)
{
    return p->shape.outer == 1 && p->shape.axis == 8;
}

static bool idles_of_seven(const struct problem *p)
{
    return p->shape.outer == 7;
}

static size_t eight_bytes(const struct problem *p)
{
    (void)p;
    return 8;
}

/* A variant whose launch returns its letter, as an error; 0 on no stream. */
#define LETTER(letter, form, dtype, passes_, ...)                              \
    static int launch_##letter(const struct problem *p, void *stream)          \
    {                                                                          \
        sms = p->device ? p->device->sm_count : 0;                             \
        return !stream ? 0 : p->in ? #letter[0] : '?';                         \
    }                                                                          \
    static const struct variant of_##letter[] = {                              \
        { .name = #letter,                                                     \
          .ops = { form, { [dtype] = REDUCERS_ANY } },                         \
          .passes = passes_,                                                   \
          .runs_on = DEVICE_CUDA,                                              \
          .launch = launch_##letter,                                           \
          .ragged = true,                                                      \
          __VA_ARGS__ },                                                       \
        { 0 },                                                                 \
    };

static const char *refuses_strided(const struct problem *p)
{
    return p->shape.inner > 1 ? "inner" : NULL;
}

static const char *refuses_wide(const struct problem *p)
{
    return p->shape.inner > 2 ? "inner" : NULL;
}

static const char *refuses_small(const struct problem *p)
{
    return p->device->shared_optin_bytes < 200 << 10 ? "small" : NULL;
}

static const struct variant host[] = {
    { .name = "host",
      .ops = OPS(FORMS_SCAN, DTYPE_BIT(DTYPE_F32)),
      .passes = 1,
      .runs_on = DEVICE_HOST },
    { 0 },
};

/* In f32, scans of which two are unfit, in f64 those of which some are fast,
 * and in bf16 those of contracts. */
LETTER(x, FORMS_SCAN, DTYPE_F32, 2)
LETTER(y, FORMS_SCAN, DTYPE_F32, 1, .passes_masked = 1,
       .error_growth = ERROR_CANCELLING)
LETTER(a, FORMS_SCAN, DTYPE_F32, 1, .refuses = refuses_odd,
       .workspace_bytes = eight_bytes, .idles = idles_alone)
LETTER(b, FORMS_SCAN, DTYPE_F32, 1, .passes_masked = 1.5)
LETTER(w, FORMS_SCAN, DTYPE_F64, 1)
LETTER(p, FORMS_SCAN, DTYPE_F64, 2, .refuses = refuses_wide,
       .idles = idles_of_seven)
LETTER(s, FORMS_SCAN, DTYPE_F64, 1.5, .refuses = refuses_strided,
       .idles = idles_of_seven)
LETTER(f, FORMS_SCAN, DTYPE_F64, 1, .refuses = refuses_strided,
       .idles = idles_of_seven)
LETTER(k, FORMS_SCAN, DTYPE_BF16, 1, .error_growth = ERROR_SERIAL)
LETTER(t, FORMS_SCAN, DTYPE_BF16, 1, .error_growth = ERROR_TREE,
       .deterministic = true, .monotone = true)
#define REDUCES(letter, ...)                                                   \
    LETTER(letter, FORM_REDUCE, DTYPE_BF16, 1, .error_growth = ERROR_SERIAL,   \
           __VA_ARGS__)
REDUCES(c, .deterministic = false)
REDUCES(l, .deterministic = true, .portable_bits = true,
        .refuses = refuses_small)
REDUCES(d, .deterministic = true, .portable_bits = true)
REDUCES(e, .deterministic = true, .portable_bits = true)

const struct family registry[] = {
    { .id = "host/host", .variants = host },
    { .id = "best/best", .variants = variants__best__best },
    { .id = "best/contracts", .variants = variants__best__contracts },
    { .id = "scan/x", .variants = of_x },
    { .id = "scan/y", .variants = of_y },
    { .id = "scan/a", .variants = of_a },
    { .id = "scan/b", .variants = of_b },
    { .id = "scan/walks", .variants = of_w, .traits = FAMILY_WALKS },
    { .id = "scan/plain", .variants = of_p },
    { .id = "scan/shares", .variants = of_s, .traits = FAMILY_SHARES },
    { .id = "scan/fast", .variants = of_f, .traits = FAMILY_FAST },
    { .id = "scan/k", .variants = of_k },
    { .id = "scan/t", .variants = of_t },
    { .id = "reduce/c", .variants = of_c },
    { .id = "reduce/l", .variants = of_l },
    { .id = "reduce/d", .variants = of_d },
    { .id = "reduce/e", .variants = of_e },
    { 0 },
};

static struct rules rules_of(const char *text)
{
    struct rules rules = { 0 };
    char why[RULES_WHY_BYTES];
    CHECK_FOR(rules_parse(&rules, "made", text, strlen(text), NULL, why), "%s",
              why);
    rules_bind(&rules);
    return rules;
}

static struct problem asked(enum op op, enum dtype dtype, int64_t axis,
                            const struct device_facts *facts)
{
    return (struct problem){ .op = op,
                             .dtype = dtype,
                             .shape = { 1, axis, 1 },
                             .in = registry,
                             .device = facts };
}

/* Rules find the variants that they name, and best calls what they lead to. */
static void test_follows(void)
{
    struct rules rules =
        rules_of("rules,2\nmodel,forest\n"
                 "problem,cumsum,f32,1,4,1,gone=0 host=0 b=1 a=2\n"
                 "problem,cumsum,f32,1,4096,1,a=0\n");
    struct device_facts facts = { .kind = DEVICE_CUDA, .rules = &rules };
    struct problem p = asked(OP_CUMSUM, DTYPE_F32, 4, &facts);
    CHECK(!rules.variant[0].tables[0] && !rules.variant[1].tables[0]);
    CHECK(rules.variant[2].tables[0] == of_b);
    CHECK(best->launch(&p, &p) == 'b' && best->launch(&p, NULL) == 0);
    p.shape.axis = 4096;
    CHECK(best->launch(&p, &p) == 'a');
    p.shape.axis = 4097; /* a refuses: what the farther one lists */
    CHECK(best->launch(&p, &p) == 'b');
    p.shape.axis = 8; /* a idles */
    CHECK(best->launch(&p, &p) == 'b');
    rules_free(&rules);
}

/* Without a rule that helps: what is fast before what is not, a walk last, and
 * few lines to blocks that share them. */
static void test_last_resort(void)
{
    const struct device_facts facts = { .kind = DEVICE_CUDA, .sm_count = 100 };
    struct problem p = asked(OP_CUMSUM_REVERSE, DTYPE_F64, 4, &facts);
    CHECK(best->launch(&p, &p) == 's');
    p.shape.outer = 100;
    CHECK(best->launch(&p, &p) == 'f');
    p.shape.inner = 2; /* neither of them serves it */
    CHECK(best->launch(&p, &p) == 'p');
    p.shape.inner = 3;
    CHECK(best->launch(&p, &p) == 'w');
    p.shape.outer = 7; /* what idles comes before a walk, too */
    p.shape.inner = 2;
    CHECK(best->launch(&p, &p) == 'p');
    p.shape.inner = 1;
    CHECK(best->launch(&p, &p) == 'f');
    p.shape = (struct shape){ 1, 4000, 1, { 4, 0, LINES_ZIPF, 8 } };
    CHECK(best->launch(&p, &p) == 'f');
}

/* None of the rules' variants is built here, so any other that is fit. */
static void test_calls(void)
{
    struct problem p = { .op = OP_CUMSUM, .shape = { 1, 4, 1 } };
    CHECK(!best->refuses(&p));
    CHECK(best->workspace_bytes(&p) == 8);
    p.in = &p;
    CHECK(best->launch(&p, &p) == 'a');
    /* Pointers do not change the choice, but what it cannot serve goes to
     * another. */
    p.in = (const char *)&p + 1;
    CHECK(!best->refuses(&p));
    CHECK(best->workspace_bytes(&p) == 8);
    CHECK(best->launch(&p, &p) == 'b');
    p.in = &p;
    p.shape.axis = 8; /* where a idles */
    CHECK(best->launch(&p, &p) == 'b');
    p.shape.axis = 5;
    CHECK(best->workspace_bytes(&p) == 0);
    CHECK(best->launch(&p, &p) == 'b');
    p.op = OP_MASKED_CUMSUM; /* b takes more than a pass then */
    CHECK(best->launch(&p, &p) == 'b');
    p.dtype = DTYPE_F16; /* that nothing has */
    CHECK(best->refuses(&p) != NULL);
    CHECK(best->workspace_bytes(&p) == 0);
    CHECK(best->launch(&p, &p) == -1);
    p = (struct problem){ .op = OP_FLIP, .shape = { 1, 4, 1 } };
    CHECK(best[1].refuses(&p) != NULL);
}

/* Best's bound covers that of whatever it may call. */
static void test_bound(void)
{
    const struct variant growths[] = {
        { .error_growth = ERROR_SERIAL },
        { .error_growth = ERROR_TREE },
        { .error_growth = ERROR_TILED, .error_tile = 1 },
        { .error_growth = ERROR_TILED, .error_tile = 64 },
    };
    for (int64_t axis = 1; axis < (int64_t)1 << 40; axis = axis * 3 + 1)
        for (size_t k = 0; k < sizeof growths / sizeof *growths; ++k)
            CHECK_FOR(verify_bound(best, axis) >=
                          verify_bound(&growths[k], axis),
                      "growth %zu, axis %lld", k, (long long)axis);
    CHECK(verify_bound(&best[1], 100) == 0);
}

/* A breach of the contract is left out, though rules rank it first. */
static void check_contracts(const struct rules *rules)
{
    const struct device_facts facts = { .kind = DEVICE_CUDA, .rules = rules };
    struct problem p = asked(OP_CUMSUM, DTYPE_BF16, 4096, &facts);
    CHECK(best->launch(&p, &p) == 'k');
    CHECK(contracts[0].launch(&p, &p) == 't');
    CHECK(contracts[2].launch(&p, &p) == 't');
    p.max_error = 26; /* that of k is 4097, of t 26 */
    CHECK(best->launch(&p, &p) == 't');
    p.max_error = 25;
    const char *why = best->refuses(&p);
    CHECK(why && strstr(why, "contracts"));
    CHECK(best->launch(&p, &p) == -1);
    p.max_error = 4097;
    CHECK(best->launch(&p, &p) == 'k');
    p.max_error = 0;
    p.contracts = CONTRACT_PORTABLE_BITS; /* of a scan */
    CHECK(best->refuses(&p));
}

/* The choice and the facts are the same on every GPU; with less than all have,
 * there is none. */
static void check_portable(const struct rules *own, const struct rules *all,
                           int wanted)
{
    const struct variant *portable = &contracts[1];
    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu) {
        struct device_facts facts = gpu->facts;
        facts.rules = own;
        facts.portable_rules = all;
        const bool large = facts.shared_optin_bytes > 200 << 10;
        struct problem p = asked(OP_SUM, DTYPE_BF16, 64, &facts);
        CHECK(best->launch(&p, &p) == 'c');
        const int own_choice = contracts[0].launch(&p, &p);
        CHECK((own_choice == 'l') == large && sms == facts.sm_count);
        if (facts.compute_capability < 80) {
            CHECK(portable->refuses(&p) && portable->launch(&p, &p) == -1);
            continue;
        }
        CHECK_FOR(portable->launch(&p, &p) == wanted, "%s", gpu->arch);
        CHECK(sms == 132);
        p.op = OP_LOGSUMEXP; /* whose exponentials differ */
        CHECK(portable->refuses(&p));
    }
}

static void test_contracts(void)
{
    struct rules rules =
        rules_of("rules,2\nmodel,forest\n"
                 "problem,cumsum,bf16,1,4096,1,k=0 t=20\n"
                 "problem,sum,bf16,1,64,1,c=0 l=9 d=20 e=25\n");
    struct rules other =
        rules_of("rules,2\nmodel,forest\n"
                 "problem,sum,bf16,1,64,1,c=0 l=9 e=10 d=20\n");
    check_contracts(&rules);
    check_contracts(NULL);
    check_portable(&rules, &rules, 'd');
    check_portable(&rules, &other, 'e');
    check_portable(NULL, &other, 'e');
    check_portable(&other, NULL, 'd');
    rules_free(&rules);
    rules_free(&other);
}

int main(void)
{
    test_follows();
    test_last_resort();
    test_calls();
    test_bound();
    test_contracts();
    return test_end();
}
