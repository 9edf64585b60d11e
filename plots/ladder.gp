# SPDX-License-Identifier: MIT
#
# Draws families at one shape as fractions of the ceiling: bars (the winner's and CUB's
# in colour, doubtful ones pale) with 95 % intervals, a tick at the limit by passes,
# `best` on the row with the nearest time, and markers for the family in other types.
bars = int(V[3]); notes = int(V[4]); most = real(V[5])
row = 20; head = 96; foot = 34
width = 720
height = head + foot + row * bars + 18 * notes + (notes ? 12 : 0)
eval look
set tmargin at screen 1 - head / real(height)
set bmargin at screen 1 - (head + row * bars) / real(height)
set lmargin at screen 0.42
set rmargin at screen 0.80
set border 1
set key at screen 0.80, screen 1 - 58. / height right top horizontal maxrows 1 \
    samplen 0.5 width -1
set xtics 0,20 format "%.0f%%"
set grid noytics
unset ytics
set label 3 "of ceiling" at screen 0.885, graph 1 right offset 0,0.7 \
    textcolor rgb faint
set label 4 "GB/s" at screen 0.98, graph 1 right offset 0,0.7 \
    textcolor rgb faint
set arrow 1 from 100, graph 0 to 100, graph 1 nohead ls 21 front
array Share[bars]; array Rate[bars]; array Name[bars]; array Note[notes + 1]
k = 0
show(pct, gbps, name) = (k = k + 1, Share[k] = sprintf("%.1f%%", pct), \
    Rate[k] = sprintf(gbps < 100 ? "%.1f" : "%.0f", gbps), Name[k] = name, 1)
stats data index 1 using (show($2, $6, strcol(7))) nooutput
do for [k=1:bars] {
    set label 100+k "".Name[k] at screen 0.411, first k right textcolor rgb ink
    set label 1000+k "".Share[k] at screen 0.885, first k right textcolor rgb ink
    set label 10000+k "".Rate[k] at screen 0.98, first k right textcolor rgb ink
}
k = 0
stats data index 4 using (k = k + 1, Note[k] = strcol(1), 1) nooutput
do for [k=1:notes] {
    set label 20000+k "".Note[k] at screen 0.015, \
        screen (18. * (notes - k) + 14) / height left textcolor rgb faint
}
set xrange [0:most]
set yrange [bars + 0.5:0.5]
tint(place, name, firm) = firm != 1 ? 0xEAEAEA : place == 1 ? 0x0072B2 : \
    name[1:4] eq "cub_" ? 0x2CA25F : 0xC4C4C4
side(t) = 0.15 * (2 * t - 3) # types side by side
end(pct) = pct < most ? pct : most
plot data index 1 using ($2 / 2):1:($2 / 2):(0.36):(tint($1, strcol(7), $9)) \
        with boxxyerror lc rgb variable notitle, \
    "" index 1 using 2:1:3:4 with xerrorbars pt 0 ps 0 lc rgb ink lw 1 \
        notitle, \
    "" index 1 using (end($5)):($1 - 0.4):(0):($5 < 100 ? 0.8 : 0) \
        with vectors nohead lc rgb ink lw 1.6 notitle, \
    "" index 1 using (1.5):1:8 with labels left font ",11" \
        textcolor rgb ink notitle, \
    for [t=0:3] "" index 3 using ($3 == t ? end($2) : NaN):($1 + side(t)) \
        with points pt (t == 0 ? 4 : t == 1 ? 6 : t == 2 ? 8 : 10) ps 0.5 lw 1.1 \
        lc rgb ink title V[6 + t], \
    "" index 2 using (end($2)):1 with points pt 13 ps 1 lc rgb ink \
        title "best"
