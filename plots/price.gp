# SPDX-License-Identifier: MIT
#
# Draws the price of contracts (proof/price.py): a block of lines with row, label and
# median, and one of points with row, colour and times, where rows and colours count from 1.
rows = int(V[3])
width = 830; height = 130 + 19 * rows
eval look
set tmargin 4
set key default
set logscale x
set xtics (1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10000)
set xrange [0.95:*]
set yrange [rows + 0.7:0.3]
set border 1
set xlabel "time over that of the fastest variant of all" textcolor rgb ink
set grid xtics lc rgb "#e4e4e4"
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#444444" dashtype (8,4)
plot data index 2 using 3:1:2 with points pointtype 7 pointsize 0.6 \
        linecolor variable notitle, \
    "" index 1 using 3:1:ytic(2) with points pointtype "|" linecolor rgb "#222222" notitle
