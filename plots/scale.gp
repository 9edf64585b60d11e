# SPDX-License-Identifier: MIT
#
# ARG1 out, ARG2 data: blocks of "bytes share", each headed by its curve's name,
# ARG3 title, ARG4 label of x.
set terminal svg size 960,520 dynamic background rgb "white" \
    font "sans-serif,13"
set output ARG1
set title ARG3 noenhanced
set logscale x 2
set format x "2^{%L}"
set xlabel ARG4
set ylabel "share of all ceilings"
set yrange [0:1.05]
set grid
set key outside right top noenhanced Left reverse
stats ARG2 using 1:2 nooutput
plot for [k=0:STATS_blocks-1] ARG2 index k using 1:2 with linespoints \
    pointtype 7 pointsize 0.5 linetype k + 1 title columnheader(1)
