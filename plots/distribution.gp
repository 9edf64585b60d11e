# SPDX-License-Identifier: MIT
#
# Draws the percentage of shapes at each share: `best` solid, the fastest variants dashed.
array Name[8]
names = 0
stats data index 1 using (names = int($1), Name[int($1)] = strcol(2), 1) nooutput
width = 900; height = 480
eval look
stats data index 2 using 1 nooutput
least = floor(STATS_min / 10.) * 10
set xrange [least < 90 ? least : 90:STATS_max > 100 ? STATS_max + 1 : 101]
set yrange [0:100]
set xlabel "".V[3] textcolor rgb ink
set ylabel "".V[4] textcolor rgb ink
set key left bottom
set tmargin 6.4
set label 3 "In brackets: number of shapes. Beyond 100 %: faster than the kernel ". \
    "that measured the ceiling." at screen 0.015, screen 1 offset 0,-3.8 left \
    textcolor rgb faint
set arrow 1 from 100, graph 0 to 100, graph 1 nohead ls 21
plot for [r=1:names] data index 2 using \
        ($3 == r && $4 == 1 ? $1 : NaN):2 with steps lt r dt (6,4) lw 1.2 \
        notitle, \
    for [r=1:names] "" index 2 using \
        ($3 == r && $4 == 0 ? $1 : NaN):2 with steps lt r notitle, \
    for [r=1:names] keyentry with lines lt r title Name[r]
