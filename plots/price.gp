# SPDX-License-Identifier: MIT
#
# Draws the price of contracts (proof/price.py). ARG1: output; ARG2: data, a block of lines
# "row label median" and one of points, "row colour times", where rows and colours count
# from 1; ARG3: number of rows; ARG4: subtitle.
out = ARG1
array V[2] = ["The fastest variant that keeps a contract: time over the fastest of all", ARG4]
load ARG0[1:strlen(ARG0)-strlen("price.gp")]."style.gp"
width = 830; height = 110 + 19 * ARG3
eval look
set tmargin 4
set key default
set logscale x
set xtics (1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10000)
set xrange [0.95:*]
set yrange [ARG3 + 0.7:0.3]
set border 1
set tics nomirror scale 0.5
set grid xtics lc rgb "#e4e4e4"
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#444444" dashtype (8,4)
plot ARG2 index 1 using 3:1:2 with points pointtype 7 pointsize 0.6 \
        linecolor variable notitle, \
    ARG2 index 0 using 3:1:ytic(2) with points pointtype "|" linecolor rgb "#222222" notitle
