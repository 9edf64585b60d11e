# SPDX-License-Identifier: MIT
#
# Reading a run's folder. A script sets `folder`, `op` and `dtype` ("" takes
# f32, or else the first one measured) and loads this. The state of the cache is
# cold, or else the first one measured; gnuplot -e "wanted_cache = 'hot'" asks
# for another.

coloured = 7 # curves and points have colours of their own, in style.gp

set datafile separator comma
set datafile columnheaders
set datafile missing NaN
set encoding utf8

# Lists are words in a string. nth: the place of s, 0 when it is not there.
spot(list, s) = strstrt(" ".list." ", " ".s." ")
nth(list, s) = spot(list, s) ? words(list[1:spot(list, s)]) : 0
extend(list, s) = spot(list, s) ? list : list eq "" ? s : list." ".s

# The family of a variant: its name without tuning points (_b256, _i8, _64kx3).
last(s) = s[strlen(s):strlen(s)]
chop(s) = s[1:strlen(s)-1]
digit(s) = strlen(s) > 0 && strstrt("0123456789", last(s)) > 0
chop_digits(s) = digit(s) ? chop_digits(chop(s)) : s
letter_after_bar(s) = strlen(s) > 2 && last(chop(s)) eq "_" && last(s) ne "_"
tuned(s) = digit(s) && letter_after_bar(chop_digits(s))
# _128x4, _64kx3
times(s) = digit(s) && last(chop_digits(s)) eq "x" ? chop(chop_digits(s)) : ""
without_k(s) = last(s) eq "k" ? chop(s) : s
count(s) = without_k(times(s))
sized(s) = digit(count(s)) && last(chop_digits(count(s))) eq "_"
family(s) = tuned(s) ? family(chop(chop(chop_digits(s)))) : \
    sized(s) ? family(chop(chop_digits(count(s)))) : s

# What was measured where.
manifest = folder."/manifest.csv"
csv = folder."/".op.".csv"
device_name = ""
l2_bytes = 0
fact(_) = \
    (strcol(1) eq "device_name" ? device_name = strcol(2) : \
     strcol(1) eq "device" && device_name eq "" ? device_name = strcol(2) : \
     strcol(1) eq "l2_bytes" ? l2_bytes = column(2) : 0, 1)
stats manifest using (fact(0)) nooutput

# A row counts when it holds a verified time. Those of unstable and suspect ones
# are drawn too, told apart; a firm one goes before them, however fast they are.
firm(_) = strcol("status") eq "ok"
timed(_) = firm(0) || strcol("status") eq "unstable" || \
    strcol("status") eq "suspect"

# An interrupted run may have times and no ceiling yet.
rated(_) = timed(0) && column("pct_ceiling") > 0

choices = ""
stats csv using (timed(0) ? (choices = extend(choices, strcol("dtype")), 1) : 1) \
    nooutput
if (dtype eq "") { dtype = nth(choices, "f32") ? "f32" : word(choices, 1) }
choices = ""
stats csv using (timed(0) && strcol("dtype") eq dtype ? \
    (choices = extend(choices, strcol("cache")), 1) : 1) nooutput
if (!exists("wanted_cache")) { wanted_cache = "" }
cache = wanted_cache ne "" ? wanted_cache : \
    nth(choices, "cold") ? "cold" : word(choices, 1)
measured = nth(choices, cache)
if (!measured) { print csv.": no measured row ".dtype." ".cache }
cache_text = cache eq "cold" ? "Cold cache." : "Hot cache."
# Of a run of several processes, the first one's rows: draw.sh makes one row of
# them all, the median.
process = ""
stats csv using (process eq "" && timed(0) ? \
    (process = strcol("process"), 1) : 1) nooutput
chosen(_) = strcol("dtype") eq dtype && strcol("cache") eq cache && \
    strcol("process") eq process

# 4096 as 4Ki; only powers of two are shown so.
binary(n) = n < 2.**10 ? sprintf("%g", n) : \
    n < 2.**20 ? sprintf("%gKi", n / 2.**10) : \
    n < 2.**30 ? sprintf("%gMi", n / 2.**20) : sprintf("%gGi", n / 2.**30)
decimal(bytes) = bytes < 1e6 ? sprintf("%.3g kB", bytes / 1e3) : \
    bytes < 1e9 ? sprintf("%.3g MB", bytes / 1e6) : \
    sprintf("%.3g GB", bytes / 1e9)
