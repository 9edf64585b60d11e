/* SPDX-License-Identifier: MIT
 *
 * The choice leaves out what breaks a problem's contracts or its error bound,
 * though rules rank it first, and is the same on every GPU for portable bits.
 * Variants and registry are made up here: no kernel is linked.
 */
#include <string.h>

#include "src/base/test.h"
#include "src/choose/rules.h"
#include "src/pretend.h"
#include "variants/built_in_rules.h"
#include "variants/registry.h"

extern const struct variant variants__best__best[];
extern const struct variant variants__best__contracts[];

static int launched; /* which of the variants below, by its letter */
static int sms;      /* of the facts it had */

static const char *refuses_small(const struct problem *p)
{
    return p->device->shared_optin_bytes < 200 << 10 ? "small" : NULL;
}

/* A variant by its letter. */
#define LETTER(letter, form, growth, deterministic_, ...)                      \
    static int launch_##letter(const struct problem *p, void *stream)          \
    {                                                                          \
        launched = stream ? #letter[0] : '?';                                  \
        sms = p->device->sm_count;                                             \
        return 0;                                                              \
    }                                                                          \
    static const struct variant of_##letter[] = {                              \
        { .name = #letter,                                                     \
          .ops = { form, { REDUCERS_ANY } },                                   \
          .passes = 1,                                                         \
          .runs_on = DEVICE_CUDA,                                              \
          .error_growth = growth,                                              \
          .deterministic = deterministic_,                                     \
          .launch = launch_##letter,                                           \
          __VA_ARGS__ },                                                       \
        { 0 },                                                                 \
    };
LETTER(a, FORMS_SCAN, ERROR_SERIAL, false, .ragged = true)
LETTER(b, FORMS_SCAN, ERROR_TREE, true, .monotone = true)
LETTER(c, FORM_REDUCE, ERROR_SERIAL, false, .ragged = true)
LETTER(l, FORM_REDUCE, ERROR_SERIAL, true, .portable_bits = true,
       .refuses = refuses_small)
LETTER(d, FORM_REDUCE, ERROR_SERIAL, true, .portable_bits = true)
LETTER(e, FORM_REDUCE, ERROR_SERIAL, true, .portable_bits = true)

const struct family registry[] = {
    { .id = "best/best", .variants = variants__best__best },
    { .id = "best/contracts", .variants = variants__best__contracts },
    { .id = "scan/a", .variants = of_a },
    { .id = "scan/b", .variants = of_b },
    { .id = "reduce/c", .variants = of_c },
    { .id = "reduce/l", .variants = of_l },
    { .id = "reduce/d", .variants = of_d },
    { .id = "reduce/e", .variants = of_e },
    { 0 },
};

/* A breach of the contract is left out, though rules rank it first. */
static void check_contracts(const struct rules *rules)
{
    const struct variant *contracts = variants__best__contracts;
    const struct device_facts facts = { .kind = DEVICE_CUDA, .rules = rules };
    struct problem p = {
        .op = OP_CUMSUM, .shape = { 1, 4096, 1 }, .in = &p, .device = &facts
    };
    CHECK(!variants__best__best[0].launch(&p, &p) && launched == 'a');
    CHECK(!contracts[0].launch(&p, &p) && launched == 'b');
    CHECK(!contracts[2].launch(&p, &p) && launched == 'b');
    p.max_error = 26; /* a's is 4097, that of b 26 */
    CHECK(!variants__best__best[0].launch(&p, &p) && launched == 'b');
    p.max_error = 25;
    const char *why = variants__best__best[0].refuses(&p);
    CHECK(why && strstr(why, "contracts"));
    CHECK(variants__best__best[0].launch(&p, &p) == -1);
    p.max_error = 4097;
    CHECK(!variants__best__best[0].launch(&p, &p) && launched == 'a');
    p.max_error = 0;
    p.contracts = CONTRACT_PORTABLE_BITS; /* of a scan */
    CHECK(variants__best__best[0].refuses(&p));
}

/* The choice and the facts are the same on every GPU; with less than all have,
 * there is none. */
static void check_portable(const struct rules *own, const struct rules *all,
                           int wanted)
{
    const struct variant *best = variants__best__best;
    const struct variant *portable = &variants__best__contracts[1];
    for (const struct known_gpu *gpu = known_gpus; gpu->arch; ++gpu) {
        struct device_facts facts = gpu->facts;
        facts.rules = own;
        facts.portable_rules = all;
        const bool large = facts.shared_optin_bytes > 200 << 10;
        struct problem p = { .op = OP_SUM,
                             .shape = { 1, 64, 1 },
                             .device = &facts };
        CHECK(!best->launch(&p, &p) && launched == 'c');
        CHECK(!variants__best__contracts[0].launch(&p, &p));
        CHECK((launched == 'l') == large && sms == facts.sm_count);
        if (facts.compute_capability < 80) {
            CHECK(portable->refuses(&p) && portable->launch(&p, &p) == -1);
            continue;
        }
        CHECK_FOR(!portable->launch(&p, &p) && launched == wanted, "%s",
                  gpu->arch);
        CHECK(sms == 132);
        p.op = OP_LOGSUMEXP; /* whose exponentials differ */
        CHECK(portable->refuses(&p));
    }
}

static struct rules rules_of(const char *text)
{
    struct rules rules = { 0 };
    char why[RULES_WHY_BYTES];
    CHECK_FOR(rules_parse(&rules, "made", text, strlen(text), NULL, why), "%s",
              why);
    rules_bind(&rules);
    return rules;
}

int main(void)
{
    struct rules rules = rules_of("rules,2\nmodel,forest\n"
                                  "problem,cumsum,f32,1,4096,1,a=0 b=20\n"
                                  "problem,sum,f32,1,64,1,c=0 l=9 d=20 e=25\n");
    struct rules other = rules_of("rules,2\nmodel,forest\n"
                                  "problem,sum,f32,1,64,1,c=0 l=9 e=10 d=20\n");
    check_contracts(&rules);
    check_contracts(NULL);
    check_portable(&rules, &rules, 'd');
    check_portable(&rules, &other, 'e');
    check_portable(NULL, &other, 'e');
    check_portable(&other, NULL, 'd');
    rules_free(&rules);
    rules_free(&other);
    return test_end();
}
