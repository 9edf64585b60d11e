/* SPDX-License-Identifier: MIT */
#include "src/choose/forest.h"

#include "src/base/hash.h"
#include "src/model/split_mix.h"
#include "src/base/test.h"

enum { POINTS = 600, TARGETS = 3 };
static float at[POINTS][FOREST_FEATURES];
static int32_t target[POINTS][TARGETS];
static struct forest_leaf leaf[FOREST_TREES]; /* of the last forest_find() */

static float drawn(uint64_t *seed)
{
    return (float)(split_mix_draw(seed) >> 44) / (1 << 16);
}

/* Draws each feature from [0, 16). */
static void draw_place(uint64_t *seed, float place[FOREST_FEATURES])
{
    for (int f = 0; f < FOREST_FEATURES; ++f)
        place[f] = drawn(seed);
}

/* Feature 7 alone decides which target is small: the first below 5, the second
 * below 11, the third above. */
static int region(const float place[FOREST_FEATURES])
{
    return place[7] < 5 ? 0 : place[7] < 11 ? 1 : 2;
}

static struct forest *grow(size_t count)
{
    uint64_t seed = 3;
    for (size_t p = 0; p < count; ++p) {
        draw_place(&seed, at[p]);
        for (int t = 0; t < TARGETS; ++t)
            target[p][t] = t == region(at[p]) ? 100 : 7000;
    }
    return forest_grow(
        &(struct forest_points){ count, TARGETS, at, &target[0][0] });
}

static bool holds(const struct forest_leaf *of, size_t point)
{
    bool found = false;
    for (unsigned k = 0; k < of->count; ++k)
        found |= of->point[k] == point;
    return found;
}

/* Each measured point has a leaf of its own in every tree. */
static void check_measured(const struct forest *forest)
{
    int wrong = 0;
    for (size_t p = 0; p < POINTS; ++p) {
        forest_find(forest, at[p], leaf);
        for (int t = 0; t < FOREST_TREES; ++t)
            wrong += leaf[t].count != 1 || !holds(&leaf[t], p);
    }
    CHECK_FOR(wrong == 0, "%d", wrong);
}

/* Few new points arrive in another region; by distance in all features every
 * second one would. */
static void check_new(const struct forest *forest)
{
    enum { QUESTIONS = 500 };
    float place[FOREST_FEATURES];
    uint64_t seed = 4;
    unsigned long long hash = HASH_START;
    int other = 0;
    for (int question = 0; question < QUESTIONS; ++question) {
        draw_place(&seed, place);
        forest_find(forest, place, leaf);
        for (int t = 0; t < FOREST_TREES; ++t) {
            other += region(at[leaf[t].point[0]]) != region(place);
            hash = hash_bytes(hash, leaf[t].point, sizeof *leaf[t].point);
        }
    }
    CHECK_FOR(other * 50 < QUESTIONS * FOREST_TREES, "%d", other);
    /* The same on every machine. */
    CHECK_FOR(hash == 0x2aefe33b178cc305u, "%llx", hash);
}

/* Points that no feature separates share a leaf, however their targets differ.
 */
static void check_alike(void)
{
    float two[5][FOREST_FEATURES] = { { 1 }, { 2 }, { 2 }, { 2 }, { 3 } };
    const int32_t of[5] = { 0, 10, 10000, 5000, 10 };
    struct forest *forest =
        forest_grow(&(struct forest_points){ 5, 1, two, of });
    forest_find(forest, two[2], leaf);
    for (int t = 0; t < FOREST_TREES; ++t)
        CHECK(leaf[t].count == 3 && holds(&leaf[t], 1) && holds(&leaf[t], 2) &&
              holds(&leaf[t], 3));
    two[0][0] = -9;
    forest_find(forest, two[0], leaf);
    for (int t = 0; t < FOREST_TREES; ++t)
        CHECK(leaf[t].count == 1 && holds(&leaf[t], 0));
    forest_free(forest);
}

static void check_few(void)
{
    struct forest *none = grow(0), *one = grow(1);
    forest_find(one, at[5], leaf);
    for (int t = 0; t < FOREST_TREES; ++t)
        CHECK(leaf[t].count == 1 && leaf[t].point[0] == 0);
    forest_find(none, at[0], leaf);
    for (int t = 0; t < FOREST_TREES; ++t)
        CHECK(leaf[t].count == 0);
    forest_free(none);
    forest_free(one);
    forest_free(NULL);
}

int main(void)
{
    check_few();
    check_alike();
    struct forest *forest = grow(POINTS);
    check_measured(forest);
    check_new(forest);
    forest_free(forest);
    return test_end();
}
