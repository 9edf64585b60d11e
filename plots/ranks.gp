# SPDX-License-Identifier: MIT
#
# Draws the share of the ceilings of all ranks. ARG1: output; ARG2: data, blocks of
# "bytes share", each headed by the name of its curve; ARG3: title.
out = ARG1
array V[2] = [ARG3, "One curve per design. Every rank has one contiguous part of each line."]
load ARG0[1:strlen(ARG0)-strlen("ranks.gp")]."style.gp"
width = 900; height = 480
eval look
set logscale x 2
set xtics format "2^%L"
set xlabel "compulsory bytes" textcolor rgb ink
set ylabel "share of the ceilings of all ranks, %" textcolor rgb ink
set yrange [0:*]
set key outside right top
stats ARG2 using 1:2 nooutput
plot for [k=0:STATS_blocks-1] ARG2 index k using 1:(100 * $2) with linespoints \
    linetype k + 1 title columnheader(1)
