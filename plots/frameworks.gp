# SPDX-License-Identifier: MIT
#
# How many times best's time other variants take: ARG1 out, ARG2 data, a line a
# cell: "row name operation times median", rows and operations counted from 1;
# ARG3 rows, ARG4 what stands under the title.
set terminal svg size 830,110+19*ARG3 dynamic noenhanced \
    font "DejaVu Sans,13" background "white"
set output ARG1
set label 1 "Times the time of best, at the same problem" at screen 0.015, screen 1 \
    offset 0,-1.1 left font "DejaVu Sans Bold,15" textcolor rgb "#222222"
set label 2 ARG4 at screen 0.015, screen 1 offset 0,-2.5 left \
    textcolor rgb "#6a6a6a"
set tmargin 4
set linetype 1 lc rgb "#0072B2"
set linetype 2 lc rgb "#D55E00"
set linetype 3 lc rgb "#009E73"
set linetype 4 lc rgb "#CC79A7"
set linetype 5 lc rgb "#E69F00"
set linetype 6 lc rgb "#56B4E9"
set linetype 7 lc rgb "#000000"
set logscale x
set xtics (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
set xrange [0.5:*]
set yrange [ARG3 + 0.7:0.3]
set border 1
set tics nomirror scale 0.5
set grid xtics lc rgb "#e4e4e4"
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#444444" dashtype (8,4)
plot ARG2 using 4:1:3:ytic(2) with points pointtype 7 pointsize 0.6 \
        linecolor variable notitle, \
    ARG2 using 5:1 with points pointtype "|" linecolor rgb "#222222" notitle
