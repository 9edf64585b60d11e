# SPDX-License-Identifier: MIT
#
# Every family of an operation at one shape, as a fraction of the measured
# ceiling, best first, with its best tuning point. A tick shows what the
# family's own passes over the data allow.
#
# SHAPE is outer x axis x inner as 32768x32768x1, or contiguous or strided:
# the largest of the shapes that most families ran (at least four in five).
#
# gnuplot -c plots/ladder.gp OUT FOLDER OP SHAPE [DTYPE]
if (ARGC < 4) {
    print "usage: gnuplot -c ladder.gp OUT FOLDER OP ", \
        "contiguous|strided|OUTERxAXISxINNER [DTYPE]"
    exit status 2
}
out = ARG1; folder = ARG2; op = ARG3; wanted = ARG4; dtype = ARG5
here = ARG0[1:strlen(ARG0)-strlen("ladder.gp")]
load here."rows.gp"
if (!measured) { exit status 77 }

# ---- which shape -----------------------------------------------------------
shape(_) = strcol("outer")."x".strcol("axis")."x".strcol("inner")
fits(_) = chosen(0) && (wanted eq "contiguous" ? strcol("inner") eq "1" : \
    wanted eq "strided" ? strcol("inner") ne "1" : shape(0) eq wanted)
shapes = ""
families = ""
note(_) = (shapes = extend(shapes, shape(0)), \
    families = extend(families, family(strcol("variant"))), 1)
stats csv using (fits(0) && rated(0) ? note(0) : 1) nooutput
n = words(shapes)
f = words(families)
if (n == 0) {
    print csv.": no ".wanted." shape was measured with its ceiling"
    exit status 77
}

array Ran[n * f]
array Elems[n]
do for [i=1:n*f] { Ran[i] = 0 }
at(_) = nth(shapes, shape(0))
spot_of(_) = (at(0) - 1) * f + nth(families, family(strcol("variant")))
mark(_) = (Ran[spot_of(0)] = 1, \
    Elems[at(0)] = column("outer") * column("axis") * column("inner"), 1)
stats csv using (fits(0) && rated(0) ? mark(0) : 1) nooutput
array Count[n]
most = 0
do for [i=1:n] {
    Count[i] = (sum [j=1:f] Ran[(i - 1) * f + j])
    most = Count[i] > most ? Count[i] : most
}
best = 0
do for [i=1:n] {
    if (Count[i] >= 0.8 * most) {
        if (best == 0) { best = i }
        larger = Elems[i] - Elems[best]
        if (larger > 0 || (larger == 0 && Count[i] > Count[best])) { best = i }
    }
}
picked = word(shapes, best)

# ---- its rows, one a variant -----------------------------------------------
there(_) = chosen(0) && shape(0) eq picked
variants = ""
stats csv using (there(0) ? (variants = extend(variants, strcol("variant")), 1) \
    : 1) nooutput
n = words(variants)
array Status[n]; array Reason[n]; array Pct[n]; array Gbps[n]; array Passes[n]
do for [i=1:n] { Status[i] = ""; Reason[i] = ""; Pct[i] = -1; Gbps[i] = -1 }
this(_) = nth(variants, strcol("variant"))
number(_) = (Pct[this(0)] = column("pct_ceiling"), \
    Gbps[this(0)] = column("gbps"), Passes[this(0)] = column("passes"), 1)
enter(_) = (Status[this(0)] = strcol("status"), \
    Reason[this(0)] = strcol("reason"), rated(0) ? number(0) : 1)
stats csv using (there(0) ? enter(0) : 1) nooutput

# ---- bars: the best of each family; the rest is said in words --------------
families = ""
do for [i=1:n] { families = extend(families, family(word(variants, i))) }
f = words(families)
array Best[f]
do for [j=1:f] { Best[j] = 0 }
do for [i=1:n] {
    j = nth(families, family(word(variants, i)))
    if (Gbps[i] >= 0) {
        if (Best[j] == 0) { Best[j] = i }
        sure = (Status[i] eq "ok") - (Status[Best[j]] eq "ok")
        if (sure > 0 || (sure == 0 && Gbps[i] > Gbps[Best[j]])) { Best[j] = i }
    }
}
bars = (sum [j=1:f] (Best[j] > 0))
pct(j) = Best[j] ? Pct[Best[j]] : -1
array Order[f]
before(a, b) = pct(a) > pct(b) || (pct(a) == pct(b) && a < b)
do for [j=1:f] { Order[1 + (sum [k=1:f] before(k, j))] = j }

# Families and variants without a time, gathered by what was said of them.
said(i) = Status[i].(Reason[i] eq "" ? "" : ": ".Reason[i])
# A wrong point is told even where its family has a right one.
told(i) = Gbps[i] < 0 && (Status[i] ne "skip" || \
    Best[nth(families, family(word(variants, i)))] == 0)
called(i) = Status[i] eq "skip" ? family(word(variants, i)) : word(variants, i)
array Note[4 * n + 4]
notes = 0
again(i) = (sum [k=1:i-1] (told(k) && said(k) eq said(i))) > 0
do for [skips=0:1] { do for [i=1:n] {
    if (told(i) && !again(i) && (Status[i] eq "skip") == skips) {
        names = ""
        do for [k=i:n] {
            if (told(k) && said(k) eq said(i)) {
                names = extend(names, called(k))
            }
        }
        notes = notes + 1
        Note[notes] = said(i).":"
        do for [k=1:words(names)] {
            if (strlen(Note[notes]) + strlen(word(names, k)) > 118) {
                notes = notes + 1
                Note[notes] = "   "
            }
            Note[notes] = Note[notes]." ".word(names, k). \
                (k < words(names) ? "," : "")
        }
    }
} }

# ---- the picture -----------------------------------------------------------
set print $bars
do for [r=1:bars] {
    i = Best[Order[r]]
    print sprintf("%d %g %g %s", r, Pct[i], 100. / Passes[i], Status[i])
}
unset print
far = 0; gbps = 0
do for [r=1:bars] { far = pct(Order[r]) > far ? pct(Order[r]) : far }
title_text = sprintf("%s, %s, %s: fraction of the measured ceiling", \
    op, dtype, picked)
subtitle_text = device_name. \
    ". ".cache_text. \
    " Best tuning point of each family. Tick: what its own passes allow."
row = 19; head = 76; foot = 32
width = 900; height = head + foot + row * bars + 17 * notes + (notes ? 12 : 0)
load here."style.gp"

set tmargin at screen 1 - head / real(height)
set bmargin at screen 1 - (head + row * bars) / real(height)
set lmargin at screen 0.335
set rmargin at screen 0.83
set border 1
unset key
set xrange [0:(far > 102 ? far : 102)]
set yrange [bars + 0.5:0.5]
set xtics 0,20 format "%.0f%%"
set grid noytics
set ytics scale 0
set ytics ()
do for [r=1:bars] {
    i = Best[Order[r]]
    set ytics add (word(variants, i) r)
    set label 100+r sprintf("%.1f%%", Pct[i]) at screen 0.885, first r right \
        textcolor rgb ink
    set label 1000+r sprintf(Gbps[i] < 100 ? "%.1f" : "%.0f", Gbps[i]) \
        at screen 0.955, first r right textcolor rgb ink
    if (Status[i] ne "ok") {
        tick = 100. / Passes[i]
        past = tick > Pct[i] && tick < Pct[i] + 15 ? tick : Pct[i]
        set label 10000+r Status[i] at past, r left offset 0.6,0 \
            textcolor rgb faint front
    }
}
do for [k=1:notes] {
    set label 20000+k Note[k] at screen 0.015, \
        screen (17. * (notes - k) + 14) / height left textcolor rgb faint
}
set datafile separator whitespace
unset datafile columnheaders
set style fill solid 1.0 noborder
set label 3 "share" at screen 0.885, graph 1 right offset 0,0.7 \
    textcolor rgb faint
set label 4 "GB/s" at screen 0.955, graph 1 right offset 0,0.7 \
    textcolor rgb faint
set arrow 1 from 100, graph 0 to 100, graph 1 nohead ls 21 front
tint(status) = status eq "ok" ? 0x0072B2 : 0xA9CCE3
set output out
plot $bars using ($2 / 2):1:($2 / 2):(0.36):(tint(strcol(4))) \
        with boxxyerror linecolor rgb variable, \
    $bars using 3:($1 - 0.4):(0):($3 < 100 ? 0.8 : 0) \
        with vectors nohead lc rgb ink lw 1.6
