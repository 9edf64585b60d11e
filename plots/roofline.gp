# SPDX-License-Identifier: MIT
#
# Draws additions per second against additions per byte that the design moves, under
# the measured slopes (one per twin) and the measured compute roof.
out = ARG1; data = ARG2
load ARG0[1:strlen(ARG0)-strlen("roofline.gp")]."style.gp"
roof = real(V[3]); slopes = int(V[4]); ops = int(V[5])
array Slope[slopes + 1]
array Name[slopes + 1]
stats data index 1 using (Slope[int($1)] = $2, Name[int($1)] = strcol(3), 1) \
    nooutput
steepest = 0
do for [i=1:slopes] { steepest = Slope[i] > steepest ? Slope[i] : steepest }
array Best[ops + 1]
stats data index 3 using (Best[int($1)] = strcol(4), 1) nooutput
width = 900; height = 540
eval look
set logscale xy
ridge = roof > 0 ? roof / steepest : 1
set xrange [0.03:4 * ridge]
set yrange [2e8:(roof > 0 ? 3 * roof : 4 * steepest)]
set format x "%g"
set format y "%.0s%c"
set xlabel "additions / byte moved" textcolor rgb ink
set ylabel "additions / s" textcolor rgb ink
set key inside right bottom opaque
set key samplen 3 spacing 1.05 font ",11"
if (roof > 0) {
    set label 3 gprintf("%.1s %c additions/s", roof) at graph 1, first roof \
        right offset 0,0.6 textcolor rgb ink
}
slope(i, x) = roof > 0 && Slope[i] * x > roof ? NaN : Slope[i] * x
set samples 200
plot for [i=1:slopes] slope(i, x) with lines lc rgb "#444444" lw 1.2 dt i \
        title Name[i], \
    roof > 0 && x >= ridge ? roof : NaN with lines lc rgb ink lw 2 notitle, \
    for [o=1:ops] data index 2 using ($1 == o ? $2 : NaN):3 with points lt o \
        ps 0.5 notitle, \
    for [o=1:ops] data index 3 using ($1 == o ? $2 : NaN):3 with points lt o \
        ps 1.2 title Best[o]
