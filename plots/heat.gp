# SPDX-License-Identifier: MIT
#
# Every family (the nearest to the winners on top) at every shape: the fraction
# of the ceiling that its best tuning point reaches, in steps of 5 per cent. The
# winner of a column is framed, with its per cent; = is within noise of it.
out = ARG1; data = ARG2
load ARG0[1:strlen(ARG0)-strlen("heat.gp")]."style.gp"
columns = int(V[3]); rows = int(V[4]); contiguous = int(V[5])
row = 18; wide = 27; head = 170; foot = 34; left = 260; right = 60
width = left + right + wide * columns
width = width < 760 ? 760 : width
height = head + foot + row * rows
eval look
set tmargin at screen 1 - head / real(height)
set bmargin at screen foot / real(height)
set lmargin at screen left / real(width)
set rmargin at screen (left + wide * columns) / real(width)
unset key
unset grid
unset xtics
unset ytics
set border 0
set xrange [0.5:columns + 0.5]
set yrange [rows + 0.5:0.5]
if (contiguous > 0 && contiguous < columns) {
    set arrow 1 from contiguous + 0.5, graph 0 to contiguous + 0.5, graph 1 \
        nohead ls 22 front
}
set label 3 "grey: too slow to be timed    red: failed    white: refused, ". \
    "or not measured    framed: the fastest    =: within noise of it" at screen 0.015, \
    screen 14. / height left textcolor rgb faint
# What is left to gain shows best near the top.
set palette defined (0 "#f4f4ec", 50 "#d5e6f2", 80 "#8fbfdf", 90 "#4f98c9", \
    100 "#0072B2")
set cbrange [0:100]
unset colorbox
plot data index 3 using 2:1:($2 - 0.5):($3 + 0.5):($1 - 0.46):($1 + 0.46):4 \
        with boxxyerror lc palette, \
    "" index 4 using 2:1:($2 - 0.5):($3 + 0.5):($1 - 0.46):($1 + 0.46): \
        ($4 == -1 ? 0xCC3311 : 0xD9D9D9) with boxxyerror lc rgb variable, \
    "" index 5 using 1:($4 == 1 ? $2 : NaN):(0.5):(0.46) with boxxyerror fill solid border \
        rgb ink lc rgb "white" lw 1.2, \
    "" index 5 using 1:2:3:($4 == 1 ? 0x222222 : 0xFFFFFF) with labels font ",11" \
        textcolor rgb variable, \
    "" index 1 using (0.5):1:2 with labels right offset -0.8,0 \
        textcolor rgb ink, \
    "" index 2 using 1:(0.5):2 with labels left rotate by 55 offset 0,0.5 \
        font ",10" textcolor rgb ink
