# SPDX-License-Identifier: MIT
#
# How many times best's time other variants take: ARG1 out, ARG2 data, a line a
# cell: "row name operation times median", rows and operations counted from 1;
# ARG3 rows, ARG4 what stands under the title.
out = ARG1
array V[2] = ["Times the time of best, at the same problem", ARG4]
load ARG0[1:strlen(ARG0)-strlen("frameworks.gp")]."style.gp"
width = 830; height = 110 + 19 * ARG3
eval look
set tmargin 4
set key default
set logscale x
set xtics (0.5, 1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10000)
set xrange [0.5:*]
set yrange [ARG3 + 0.7:0.3]
set border 1
set tics nomirror scale 0.5
set grid xtics lc rgb "#e4e4e4"
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#444444" dashtype (8,4)
plot ARG2 using 4:1:3:ytic(2) with points pointtype 7 pointsize 0.6 \
        linecolor variable notitle, \
    ARG2 using 5:1 with points pointtype "|" linecolor rgb "#222222" notitle
