# SPDX-License-Identifier: MIT
#
# A map of what was measured: the family that won there, and the fraction of the
# ceiling that it reached.
#   contiguous  the length of the lines against their number
#   strided     their length against the elements from one of a line to the next
#               (the inner extent), at the shape with the most elements
# Extents beside a power of two are drawn next to it.
#
# gnuplot -c plots/best.gp OUT FOLDER OP contiguous|strided [DTYPE]
if (ARGC < 4) {
    print "usage: gnuplot -c best.gp OUT FOLDER OP contiguous|strided [DTYPE]"
    exit status 2
}
out = ARG1; folder = ARG2; op = ARG3; lines = ARG4; dtype = ARG5
strided = lines eq "strided"
if (!strided && lines ne "contiguous") {
    print "best.gp: '".lines."': contiguous or strided"
    exit status 2
}
here = ARG0[1:strlen(ARG0)-strlen("best.gp")]
load here."rows.gp"
if (!measured) { exit status 77 }

# ---- the winner of every shape ---------------------------------------------
# Not of `best`, which only calls one of the others.
kind(_) = chosen(0) && rated(0) && \
    strided == (strcol("inner") ne "1") && strcol("variant") ne "best"
shape(_) = strcol(strided ? "inner" : "outer")."x".strcol("axis")
shapes = ""
stats csv using (kind(0) ? (shapes = extend(shapes, shape(0)), 1) : 1) nooutput
n = words(shapes)
if (n < 3) {
    print csv.": fewer than three ".lines." shapes were measured"
    exit status 77
}
array Outer[n]
do for [i=1:n] { Outer[i] = 0 }
most_of(_) = column("outer") > Outer[nth(shapes, shape(0))] ? \
    (Outer[nth(shapes, shape(0))] = column("outer")) : 1
stats csv using (kind(0) ? most_of(0) : 1) nooutput
mine(_) = kind(0) && column("outer") == Outer[nth(shapes, shape(0))]
array Firm[n]
array Pct[n]
array Winner[n]
do for [i=1:n] { Firm[i] = 0; Pct[i] = -1; Winner[i] = "" }
at(_) = nth(shapes, shape(0))
better_row(_) = firm(0) == Firm[at(0)] ? column("pct_ceiling") > Pct[at(0)] : \
    firm(0)
enter(_) = (Firm[at(0)] = firm(0), Pct[at(0)] = column("pct_ceiling"), \
    Winner[at(0)] = family(strcol("variant")), 1)
stats csv using (mine(0) && better_row(0) ? enter(0) : 1) nooutput

# ---- where it is drawn -----------------------------------------------------
array Axis[n]
array Up[n] # the lines, or the inner extent
do for [i=1:n] {
    s = word(shapes, i)
    Up[i] = real(s[1:strstrt(s, "x")-1])
    Axis[i] = real(s[strstrt(s, "x")+1:])
}
even(x) = 2**floor(log(x) / log(2) + 0.5) == x
near(x, y) = even(y) && abs(x / y - 1) < 0.05
beside(i) = !even(Axis[i]) && \
    (sum [j=1:n] (Up[j] == Up[i] && near(Axis[i], Axis[j]))) > 0
beside_up(i) = !even(Up[i]) && \
    (sum [j=1:n] (Axis[j] == Axis[i] && near(Up[i], Up[j]))) > 0
nearest(x) = 2.**floor(log(x) / log(2) + 0.5)
aside(x) = nearest(x) * (x < nearest(x) ? 2.**-0.9 : 2.**0.9)
X(i) = beside(i) ? aside(Axis[i]) : Axis[i]
Y(i) = beside_up(i) ? aside(Up[i]) : Up[i]

# Colours go to those that win most often.
families = ""
do for [i=1:n] { families = extend(families, Winner[i]) }
f = words(families)
array Wins[f]
do for [k=1:f] { Wins[k] = 0 }
do for [i=1:n] {
    k = nth(families, Winner[i])
    Wins[k] = Wins[k] + 1
}
before(a, b) = Wins[a] > Wins[b] || (Wins[a] == Wins[b] && a < b)
array Rank[f]
do for [k=1:f] { Rank[k] = 1 + (sum [j=1:f] before(j, k)) }
array Ranked[f]
do for [k=1:f] { Ranked[Rank[k]] = word(families, k) }
set print $points
do for [i=1:n] {
    print sprintf("%.0f %.0f %d %.0f%s", X(i), Y(i), \
        Rank[nth(families, Winner[i])], Pct[i], Firm[i] ? "" : "?")
}
unset print

# ---- the picture -----------------------------------------------------------
besides = (sum [i=1:n] (beside(i) || beside_up(i)))
unsure = (sum [i=1:n] (Firm[i] == 0))
low_x = 2.**60; high_x = 1; high_y = 1; low_y = 2.**60; most = 1
do for [i=1:n] {
    low_x = X(i) < low_x ? X(i) : low_x
    high_x = X(i) > high_x ? X(i) : high_x
    low_y = Y(i) < low_y ? Y(i) : low_y
    high_y = Y(i) > high_y ? Y(i) : high_y
    most = Axis[i] * Up[i] > most ? Axis[i] * Up[i] : most
}
title_text = sprintf("%s, %s: which family wins where%s", op, dtype, \
    strided ? " along strided axes" : "")
subtitle_text = device_name.(strided ? ". Strided" : ". Contiguous"). \
    " lines. ".cache_text." Per cent of the measured ceiling". \
    (strided ? ", of the largest tensor at a place" : ""). \
    (unsure ? "; ?: suspect or unstable." : ".")
width = 960; height = 500
load here."style.gp"
shown = f < coloured ? f : coloured
set logscale xy 2
set xrange [low_x / 4:high_x * 4]
set yrange [low_y / 3:high_y * 4]
set xtics (); set ytics ()
do for [e=0:40:2] {
    set xtics add (binary(2.**e) 2.**e)
    set ytics add (binary(2.**e) 2.**e)
}
set xlabel "elements a line". \
    (besides ? " (odd extents stand beside the power of two)" : "") \
    textcolor rgb ink
set ylabel strided ? "stride of a line, elements" : "lines" \
    textcolor rgb ink
set key outside right top
if (strided) { most = 0 } # no diagonals of equal sizes
do for [e=12:40:8] {
    # The tag stands where the diagonal leaves below.
    if (2.**e <= most * 4 && 2.**e / low_y < high_x * 4) {
        set label 100+e binary(2.**e)." elements" at 1.2 * 2.**e / low_y, \
            low_y / 2 right font ",9" textcolor rgb faint
    }
}
set datafile separator whitespace
unset datafile columnheaders
set samples 200
set output out
plot for [e=12:40:8] (2.**e <= most * 4 ? 2.**e / x : NaN) with lines ls 22 \
        notitle, \
    for [r=1:f] $points using ($3 == r ? $1 : NaN):2 with points \
        lt (r < 8 ? r : 8) ps 1.6 notitle, \
    $points using 1:2:4 with labels offset 0,1 font ",9" textcolor rgb ink \
        notitle, \
    for [r=1:shown] keyentry with points lt r ps 1.6 title Ranked[r], \
    keyentry with points lt 8 ps 1.6 title (f > shown ? \
        sprintf("%d more families", f - shown) : "")
