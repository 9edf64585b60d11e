# SPDX-License-Identifier: MIT
#
# Shares of the ceilings of several ranks: ARG1 out, ARG2 data: blocks of "x
# share", each headed by its curve's name, ARG3 title, ARG4 label of x, ARG5 what
# stands under the title.
out = ARG1
array V[2] = [ARG3, ARG5]
load ARG0[1:strlen(ARG0)-strlen("scale.gp")]."style.gp"
width = 900; height = 480
eval look
set logscale x 2
set xtics format "2^%L"
set xlabel ARG4 textcolor rgb ink
set ylabel "share of the ceilings of all ranks, per cent" textcolor rgb ink
set yrange [0:*]
set key outside right top
stats ARG2 using 1:2 nooutput
plot for [k=0:STATS_blocks-1] ARG2 index k using 1:(100 * $2) with linespoints \
    linetype k + 1 title columnheader(1)
