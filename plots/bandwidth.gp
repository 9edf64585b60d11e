# SPDX-License-Identifier: MIT
#
# GB/s of compulsory bytes, one curve a family of variants: at each place its
# best tuning point, which the legend names where it is the same everywhere. (A
# curve a variant is several times as many, most of them on top of each other;
# ask for it with the word variants.)
#   length  against the length of a contiguous line, at the power of two of
#           total elements (the nearest) that has most lengths
#   size    against the total bytes, at one contiguous shape a power of two of
#           elements: the one nearest to a square
#
# gnuplot -c plots/bandwidth.gp OUT FOLDER OP length|size [DTYPE|"" [variants]]
if (ARGC < 4) {
    print "usage: gnuplot -c bandwidth.gp OUT FOLDER OP length|size [DTYPE]"
    exit status 2
}
out = ARG1; folder = ARG2; op = ARG3; against = ARG4; dtype = ARG5
by_length = against eq "length"
by_variant = ARG6 eq "variants"
if (!by_length && against ne "size" || !by_variant && ARG6 ne "") {
    print "bandwidth.gp: '".against."' '".ARG6."': length or size, ", \
        "then nothing or variants"
    exit status 2
}
here = ARG0[1:strlen(ARG0)-strlen("bandwidth.gp")]
load here."rows.gp"
if (!measured) { exit status 77 }
if (by_variant) { family(s) = s }

# ---- which shapes ----------------------------------------------------------
contiguous(_) = timed(0) && chosen(0) && strcol("inner") eq "1"
shape(_) = strcol("outer")."x".strcol("axis")
shapes = ""
stats csv using (contiguous(0) ? (shapes = extend(shapes, shape(0)), 1) : 1) \
    nooutput
n = words(shapes)
if (n < 2) {
    print csv.": fewer than two contiguous shapes were measured"
    exit status 77
}

array Power[n]  # of two, nearest to the elements
array Skew[n]   # powers of two between outer and axis
array Drawn[n]
array Axis[n]
do for [i=1:n] {
    s = word(shapes, i)
    outer = real(s[1:strstrt(s, "x")-1])
    Axis[i] = real(s[strstrt(s, "x")+1:])
    Power[i] = floor(log(outer * Axis[i]) / log(2) + 0.5)
    Skew[i] = abs(log(outer / Axis[i]) / log(2))
    Drawn[i] = 0
}
if (by_length) {
    # Tie: the larger tensors.
    lengths(k) = (sum [i=1:n] (Power[i] == k))
    power = Power[1]
    do for [i=2:n] {
        more = lengths(Power[i]) - lengths(power)
        if (more > 0 || (more == 0 && Power[i] > power)) { power = Power[i] }
    }
    do for [i=1:n] { Drawn[i] = (Power[i] == power) }
} else {
    # Squares if there are enough of them, else what comes nearest.
    squares = (sum [i=1:n] (Skew[i] <= 1))
    better(i, j) = Power[i] == Power[j] && \
        (Skew[i] < Skew[j] || (Skew[i] == Skew[j] && i < j))
    do for [j=1:n] {
        Drawn[j] = (sum [i=1:n] better(i, j)) == 0 && \
            (squares < 3 || Skew[j] <= 1)
    }
}

# ---- the best of each family at each place ---------------------------------
drawn(_) = contiguous(0) && Drawn[nth(shapes, shape(0))]
place(_) = by_length ? strcol("axis") : strcol("bytes")
places = ""
families = ""
elem_bytes = 0
note(_) = (places = extend(places, place(0)), \
    families = extend(families, family(strcol("variant"))), \
    elem_bytes = column("bytes") / (column("outer") * column("axis")), 1)
stats csv using (drawn(0) ? note(0) : 1) nooutput
p = words(places)
f = words(families)
if (p < 2) {
    print csv.": fewer than two places for a curve by ".against
    exit status 77
}

array Best[f * p]
array Firm[f * p]   # its status was ok
array Point[f * p]  # its tuning point
array Ceiling[p]
array Top[p]
do for [i=1:f*p] { Best[i] = 0; Firm[i] = 0; Point[i] = "" }
do for [i=1:p] { Ceiling[i] = 0; Top[i] = 0 }
cell(_) = (nth(families, family(strcol("variant"))) - 1) * p + \
    nth(places, place(0))
better_row(_) = firm(0) == Firm[cell(0)] ? column("gbps") > Best[cell(0)] : \
    firm(0)
enter(_) = (Best[cell(0)] = column("gbps"), Firm[cell(0)] = firm(0), \
    Point[cell(0)] = strcol("variant"), 1)
limit(_) = (at = nth(places, place(0)), \
    Ceiling[at] = column("ceiling_gbps") > Ceiling[at] ? \
        column("ceiling_gbps") : Ceiling[at], \
    Top[at] = column("gbps") > Top[at] ? column("gbps") : Top[at], 1)
stats csv using (drawn(0) ? (limit(0), better_row(0) ? enter(0) : 1) : 1) \
    nooutput

# ---- the order of places and of families -----------------------------------
X(i) = real(word(places, i))
array Place[p]
do for [i=1:p] { Place[1 + (sum [j=1:p] (X(j) < X(i)))] = i }

# Lengths beside a power of two (4095, 4097) are circles off the curve.
even(x) = 2**floor(log(x) / log(2) + 0.5) == x
near(i, j) = even(X(j)) && abs(X(i) / X(j) - 1) < 0.05
array Beside[p]
do for [i=1:p] {
    Beside[i] = by_length && !even(X(i)) && (sum [j=1:p] near(i, j)) > 0
}

# Coloured are, first, those that win anywhere, then those that are near the
# top in most places.
array Score[f]
array Rank[f]
share(i, j) = Beside[j] || Top[j] == 0 ? 0 : Best[(i - 1) * p + j] / Top[j]
do for [i=1:f] {
    Score[i] = (sum [j=1:p] share(i, j)**6) + \
        (((sum [j=1:p] (share(i, j) == 1)) > 0) ? p : 0)
}
before(j, i) = Score[j] > Score[i] || (Score[j] == Score[i] && j < i)
do for [i=1:f] { Rank[1 + (sum [j=1:f] before(j, i))] = i }
# CUB is what everybody knows: of its families the one that is there at most
# places has the last colour, at least.
known = 0; known_at = 0
do for [r=1:f] {
    at = (sum [j=1:p] (Best[(Rank[r] - 1) * p + j] > 0))
    if (strstrt(word(families, Rank[r]), "cub_") == 1 && at > known_at) {
        known = r; known_at = at
    }
}
if (known > coloured && Score[Rank[known]] > 0) {
    i = Rank[known]
    do for [r=known:coloured+1:-1] { Rank[r] = Rank[r - 1] }
    Rank[coloured] = i
}
curves = (sum [i=1:f] (Score[i] > 0))

# A curve's name: the tuning point, or the family and how many points it has.
array Points[f]
do for [i=1:f] {
    points = ""
    do for [j=1:p] {
        k = (i - 1) * p + j
        if (Best[k] > 0) { points = extend(points, Point[k]) }
    }
    Points[i] = words(points) == 1 ? points : \
        sprintf("%s (%d points)", word(families, i), words(points))
}

# ---- the curves ------------------------------------------------------------
# One index of $curves a family, best first; an empty line breaks a curve
# where a place is missing.
besides = 0; unsure = 0
do for [r=1:curves] {
    open = 0
    do for [s=1:p] {
        i = Place[s]
        k = (Rank[r] - 1) * p + i
        lt = r < 8 ? r : 8
        if (Best[k] > 0) {
            row = sprintf("%.0f %.6g %d", X(i), Best[k], lt)
            if (Beside[i]) {
                set print $beside append; print row; besides = 1
            } else {
                set print $curves append; print row; open = 1
            }
            if (!Firm[k] && r < 8) {
                set print $unsure append; print row; unsure = 1
            }
        }
        if (Best[k] == 0 && !Beside[i] && open) {
            set print $curves append; print ""; open = 0
        }
    }
    set print $curves append
    if (open) { print "" }
    print ""
}
ceilings = 0
set print $ceiling
do for [s=1:p] {
    i = Place[s]
    if (!Beside[i] && Ceiling[i] > 0) {
        print sprintf("%.0f %.6g", X(i), Ceiling[i])
        ceilings = 1
    }
}
unset print

# ---- the picture -----------------------------------------------------------
first = X(Place[1])
final = X(Place[p])
most = 0
do for [i=1:p] {
    most = Top[i] > most ? Top[i] : most
    most = Ceiling[i] > most ? Ceiling[i] : most
}
least = most
do for [k=1:f*p] { least = Best[k] > 0 && Best[k] < least ? Best[k] : least }
title_text = sprintf("%s, %s: bandwidth against %s", op, dtype, \
    by_length ? "line length" : "size")
subtitle_text = device_name.". "
if (by_length) {
    moved = elem_bytes * 2.**power
    subtitle_text = subtitle_text.sprintf( \
        "Contiguous lines, %s%s elements in all, %s moved", \
        besides ? "about " : "", binary(2.**power), decimal(moved))
    if (l2_bytes > 0) {
        subtitle_text = subtitle_text.sprintf( \
            moved < 10. * l2_bytes ? " (%.2g × L2)" : " (%.0f × L2)", \
            moved / l2_bytes)
    }
} else {
    subtitle_text = subtitle_text.(squares < 3 ? "Contiguous lines" : \
        "Contiguous lines, as many as each is long")
}
subtitle_text = subtitle_text.". ".cache_text. \
    (besides ? " Circles: odd lengths." : ""). \
    (unsure ? " White dot: suspect or unstable." : "")
note_text = by_variant ? "" : \
    "A curve a family: at each place its best tuning point, named where ". \
    "it is the same at all of them."
width = 960; height = 520
load here."style.gp"

set logscale x 2
set xrange [first / 1.25:final * 1.25]
set xtics ()
every = ceil(log(final / first) / log(2) / 11.)
do for [i=0:floor(log(final) / log(2) / every)] {
    set xtics add (binary(2.**(i * every)).(by_length ? "" : "B") \
                   2.**(i * every))
}
set xlabel by_length ? "elements a line" : \
    "compulsory bytes (read and written)" textcolor rgb ink
set ylabel "compulsory GB/s" textcolor rgb ink
if (by_length) {
    set yrange [0:most * 1.12]
} else {
    set logscale y 10
    low = least > most / 3000. ? least / 1.6 : most / 3000.
    set yrange [low:most * 1.6]
    if (most / low < 200) {
        set for [i=-3:5] ytics add (2 * 10.**i, 5 * 10.**i)
    }
}
l2 = by_length ? l2_bytes / elem_bytes : l2_bytes
if (l2 > first && l2 < final) {
    set arrow 1 from l2, graph 0 to l2, graph 1 nohead ls 22
    set label 3 sprintf(by_length ? "a line = L2 (%sB)" : "L2 (%sB)", \
        binary(l2_bytes)) at l2, graph 1 center \
        offset 0,0.6 textcolor rgb faint
}
set key outside right top
set bmargin 5
set label 4 note_text at screen 0.015, screen 14. / height left font ",10" \
    textcolor rgb faint
set datafile separator whitespace
unset datafile columnheaders
shown = curves < coloured ? curves : coloured
ceiling = ceilings ? "$ceiling using 1:2 with lines ls 21 notitle," : ""
circles = besides ? "$beside using 1:2:3 ". \
    "with points pt 6 ps 0.5 lc variable notitle," : ""
white_dots = unsure ? "$unsure using 1:2 ". \
    "with points pt 7 ps 0.3 lc rgb 'white' notitle," : ""
set output out
plot for [r=curves:shown+1:-1] $curves index r-1 using 1:2 \
        with linespoints lt 8 notitle, \
    @ceiling \
    for [r=shown:1:-1] $curves index r-1 using 1:2 \
        with linespoints lt r notitle, \
    @circles \
    @white_dots \
    keyentry with lines ls 21 title (ceilings ? "measured ceiling" : ""), \
    for [r=1:shown] keyentry with linespoints lt r \
        title Points[Rank[r]], \
    keyentry with lines lt 8 title (curves > shown ? \
        sprintf("%d more %s", curves - shown, by_variant ? "variants" : "families") : "")
