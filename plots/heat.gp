# SPDX-License-Identifier: MIT
#
# Every family of an operation at every shape: the fraction of the measured
# ceiling that its best tuning point reaches, as a colour and in per cent; or
# why there is none. A hole is a white square that no sign explains.
#
# gnuplot -c plots/heat.gp OUT FOLDER OP [DTYPE]
if (ARGC < 3) {
    print "usage: gnuplot -c heat.gp OUT FOLDER OP [DTYPE]"
    exit status 2
}
out = ARG1; folder = ARG2; op = ARG3; dtype = ARG4
here = ARG0[1:strlen(ARG0)-strlen("heat.gp")]
load here."rows.gp"
if (!measured) { exit status 77 }

# ---- columns and rows ------------------------------------------------------
here_now(_) = strcol("dtype") eq dtype && strcol("cache") eq cache && \
    (process eq "" || strcol("process") eq process)
shape(_) = strcol("outer")."x".strcol("axis")."x".strcol("inner")
shapes = ""
families = ""
note(_) = (shapes = extend(shapes, shape(0)), \
    families = extend(families, family(strcol("variant"))), 1)
stats csv using (here_now(0) ? note(0) : 1) nooutput
n = words(shapes)
f = words(families)
if (n < 4 || f < 2) {
    print csv.": fewer than four shapes or two families; ladders tell it"
    exit status 77
}

# Contiguous lines, then strided ones; by inner, axis, outer.
extent(s, k) = k == 1 ? real(s[1:strstrt(s, "x")-1]) : \
    extent_rest(s[strstrt(s, "x")+1:], k)
extent_rest(s, k) = k == 2 ? real(s[1:strstrt(s, "x")-1]) : \
    real(s[strstrt(s, "x")+1:])
array Outer[n]; array Axis[n]; array Inner[n]
do for [i=1:n] {
    s = word(shapes, i)
    Outer[i] = extent(s, 1); Axis[i] = extent(s, 2); Inner[i] = extent(s, 3)
}
before(a, b) = Inner[a] != Inner[b] ? Inner[a] < Inner[b] : \
    Axis[a] != Axis[b] ? Axis[a] < Axis[b] : Outer[a] < Outer[b]
array Place[n]  # of a shape
array Name[n]   # at a place
whole(x) = x == 2.**floor(log(x) / log(2) + 0.5) && x >= 1024
short(x) = whole(x) ? binary(x) : sprintf("%.0f", x)
do for [i=1:n] {
    Place[i] = 1 + (sum [j=1:n] before(j, i))
    Name[Place[i]] = short(Outer[i])."×".short(Axis[i]). \
        (Inner[i] == 1 ? "" : "×".short(Inner[i]))
}
contiguous = (sum [i=1:n] (Inner[i] == 1))

# ---- the squares -----------------------------------------------------------
# Signs, the more telling ones last: a family's points may differ.
array Pct[n * f]
array Firm[n * f]   # its status was ok
array Sign[n * f]
do for [k=1:n*f] { Pct[k] = -1; Firm[k] = 0; Sign[k] = 0 }
at(_) = (nth(families, family(strcol("variant"))) - 1) * n + \
    Place[nth(shapes, shape(0))]
untried(_) = strcol("status") eq "untried"
sign(_) = strcol("status") ne "skip" ? 4 : untried(0) ? 2 : \
    strcol("status") eq "slow" ? 3 : 1
better_row(_) = firm(0) == Firm[at(0)] ? \
    column("pct_ceiling") > Pct[at(0)] : firm(0)
rate(_) = better_row(0) ? \
    (Firm[at(0)] = firm(0), Pct[at(0)] = column("pct_ceiling")) : 1
mark(_) = Sign[at(0)] = sign(0) > Sign[at(0)] ? sign(0) : Sign[at(0)]
enter(_) = (rated(0) ? rate(0) : timed(0) ? 1 : mark(0), 1)
stats csv using (here_now(0) ? enter(0) : 1) nooutput

unsure = 0
set print $squares
do for [r=1:f] { do for [c=1:n] {
    k = (r - 1) * n + c
    if (Pct[k] >= 0) {
        unsure = unsure || !Firm[k]
        print sprintf("%d %d %g %.0f%s%s", c, r, Pct[k], Pct[k], \
            Firm[k] ? "" : "?", Sign[k] == 4 ? "!" : "")
    }
} }
set print $signs
print "0 0 -"
do for [r=1:f] { do for [c=1:n] {
    k = (r - 1) * n + c
    if (Pct[k] < 0 && Sign[k] > 0) {
        print sprintf("%d %d %s", c, r, word("– (slow) slow !", Sign[k]))
    }
} }
unset print

# The fastest of a column; not `best`, which only calls another.
set print $tops
do for [c=1:n] {
    top = 0
    do for [r=1:f] {
        k = (r - 1) * n + c
        if (Pct[k] > 0 && word(families, r) ne "best") {
            if (top == 0) { top = r }
            t = (top - 1) * n + c
            sure = Firm[k] - Firm[t]
            if (sure > 0 || (sure == 0 && Pct[k] > Pct[t])) { top = r }
        }
    }
    if (top > 0) { print sprintf("%d %d", c, top) }
}
unset print

# ---- the picture -----------------------------------------------------------
title_text = sprintf("%s, %s: every family at every shape", op, dtype)
subtitle_text = device_name.". ".cache_text. \
    " Per cent of the measured ceiling, of each family's best tuning point."
row = 17; wide = 31; head = 126; foot = 50; left = 190; right = 60
width = left + right + wide * n
width = width < 720 ? 720 : width
height = head + foot + row * f
load here."style.gp"
set tmargin at screen 1 - head / real(height)
set bmargin at screen foot / real(height)
set lmargin at screen left / real(width)
set rmargin at screen (left + wide * n) / real(width)
unset key
unset grid
set border 0
set xrange [0.5:n + 0.5]
set yrange [f + 0.5:0.5]
set ytics scale 0 ()
do for [r=1:f] { set ytics add (word(families, r) r) }
unset xtics
do for [c=1:n] {
    set label 100+c Name[c] at first c, graph 1 offset 0,0.5 left \
        rotate by 55 font ",9" textcolor rgb ink
}
if (contiguous > 0 && contiguous < n) {
    set arrow 1 from contiguous + 0.5, graph 0 to contiguous + 0.5, graph 1 \
        nohead ls 22 front
}
note_text = "–  refused    slow  right, but too slow to be timed    ". \
    "(slow)  not tried: too slow already elsewhere    ". \
    (unsure ? "?  suspect or unstable    " : ""). \
    "!  failed, or one of its points did\n". \
    "framed: the fastest family    empty: not measured"
set label 3 note_text at screen 0.015, screen 30. / height left font ",10" textcolor rgb faint
set datafile separator whitespace
unset datafile columnheaders
set style fill solid 1.0 noborder
# From white to the charts' blue; what is left to gain shows best near the top.
set palette defined (0 "#ffffff", 50 "#d5e6f2", 80 "#8fbfdf", 90 "#4f98c9", \
    100 "#0072B2")
set cbrange [0:100]
unset colorbox
set output out
plot $squares using 1:2:(0.48):(0.46):3 with boxxyerror lc palette, \
    $tops using 1:2:(0.48):(0.46) with boxxyerror fill empty border rgb ink \
        lc rgb ink lw 1.2, \
    $squares using 1:2:4:($3 > 84 ? 0xFFFFFF : 0x222222) with labels \
        font ",9" textcolor rgb variable, \
    $signs using 1:2:3 with labels font ",8" textcolor rgb faint
