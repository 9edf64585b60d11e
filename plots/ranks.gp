# SPDX-License-Identifier: MIT
#
# Draws the share of all ranks' ceilings: blocks of bytes and share, headed by a name.
width = 900; height = 480
eval look
set logscale x 2
set xtics format "2^%L"
set xlabel "compulsory bytes" textcolor rgb ink
set ylabel "share of the ceilings of all ranks, %" textcolor rgb ink
set yrange [0:*]
set key outside right top
stats data using 1 nooutput
plot for [k=1:STATS_blocks-1] data index k using 1:(100 * $2) with linespoints \
    linetype k title columnheader(1)
