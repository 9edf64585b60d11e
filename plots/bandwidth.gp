# SPDX-License-Identifier: MIT
#
# Draws a curve per family: bandwidth by length of line, or share of the ceiling by size.
by_length = int(V[4])
first = real(V[5]); final = real(V[6]); l2 = real(V[7])
names = int(V[8]); more = int(V[9])
array Name[8]; array Colour[8]; array Kind[8]
stats data index 1 using (Name[int($1)] = strcol(4), \
    Colour[int($1)] = int($2), Kind[int($1)] = int($3), 1) nooutput
width = 900; height = 600
eval look
set logscale x 2
set xrange [first / 1.25:final * 1.25]
set xtics ()
every = ceil(log(final / first) / log(2) / 11.)
do for [i=0:floor(log(final) / log(2) / every)] {
    set xtics add (binary(2.**(i * every)).(by_length ? "" : "B") \
                   2.**(i * every))
}
set xlabel "".V[3] textcolor rgb ink
set ylabel "".(by_length ? "effective bandwidth, GB/s" : "% of the ceiling") textcolor rgb ink
stats data index 2 using 2 nooutput
top = STATS_max > 108 ? STATS_max * 1.02 : 110
if (by_length) { set yrange [0:*] } else { set yrange [0:top] }
if (l2 > first && l2 < final) {
    set arrow 1 from l2, graph 0 to l2, graph 1 nohead ls 22
    set label 3 by_length ? "line = L2" : "L2" at l2, graph by_length center \
        offset by_length ? 0 : 1.5, 0.6 textcolor rgb faint
}
eval key_below
set tmargin 6.4
set label 4 "Best tuning point of each family at each x, with 95 % ". \
    "interval. White dot: doubtful, near_empty or cache_assisted." \
    at screen 0.015, screen 1 offset 0,-3.8 left textcolor rgb faint
plot data index 2 using 1:($3 == 8 ? $2 : NaN) with linespoints lt 8 notitle, \
    "" index 3 using 1:(by_length ? $2 : 100) with lines ls 21 \
        title "measured ceiling", \
    "" index 3 using 1:(by_length ? NaN : top):(sprintf("%.0f", $2)) \
        with labels offset 0,0.6 textcolor rgb faint notitle, \
    for [r=names:1:-1] "" index 2 using 1:($3 == r ? $2 : NaN) \
        with linespoints lc rgb Colour[r] lw 1.8 pt point(Kind[r]) \
        ps bigness(Kind[r]) notitle, \
    for [r=1:names] "" index 2 using 1:($3 == r ? $4 : NaN):(0):($5 - $4) \
        with vectors nohead lc rgb Colour[r] lw 3 notitle, \
    for [r=1:names] "" index 4 using 1:($3 == r ? $2 : NaN) with points \
        pt 6 ps 0.5 lc rgb Colour[r] notitle, \
    "" index 4 using 1:($3 == 8 ? $2 : NaN) with points pt 6 ps 0.5 lt 8 \
        notitle, \
    "" index 5 using 1:2 with points pt 7 ps 0.3 lc rgb "white" notitle, \
    for [r=1:names] keyentry with linespoints lc rgb Colour[r] lw 1.8 \
        pt point(Kind[r]) ps bigness(Kind[r]) title Name[r], \
    keyentry with lines lt 8 title (more > 0 ? \
        sprintf("%d more families", more) : "")
