# SPDX-License-Identifier: MIT
#
# Draws FLOP per second against FLOP per byte moved, under the twins' ceilings, the memory
# bus and the cache. Labels name operations' best; dotted lines show several passes.
roof = real(V[3])
width = 720; height = 640
eval look
left = 0.115; right = 0.975; bottom = 0.115; head = 0.855
set lmargin at screen left; set rmargin at screen right
set bmargin at screen bottom; set tmargin at screen head
array Slope[66]; array Style[66]; array Name[66]
slopes = 0
stats data index 1 using (slopes = slopes + 1, Slope[slopes] = $1, \
    Style[slopes] = int($2), Name[slopes] = strcol(3), 1) nooutput
memory = 0; steepest = 0 # without the cache, and with it
do for [i=1:slopes] {
    memory = Style[i] < 3 && Slope[i] > memory ? Slope[i] : memory
    steepest = Slope[i] > steepest ? Slope[i] : steepest
}
array X[66]; array Label[66]; array Op[66]
labels = 0
stats data index 2 using (strcol(5) ne "." ? (labels = labels + 1, \
    X[labels] = $2, Label[labels] = strcol(5), Op[labels] = int($1), 1) : 1) nooutput
marks = labels < 8 ? labels : 0 # in the key
seen = " "; op = 0
stats data index 2 using (op = op > 0 ? op : $1) nooutput
stats data index 2 using ($1 == op && $4 > 1 && strstrt(seen, " ".strcol(4)." ") == 0 ? \
    (seen = seen.strcol(4)." ", 1) : 1) nooutput
stats data index 2 using 2:3 nooutput
set logscale xy
first = STATS_min_x / 1.25; final = STATS_max_x * 2
high = steepest * final
key_part = 22. * (slopes + 1 + marks) / ((head - bottom) * height) # below all points
low = STATS_min_y / (high / STATS_min_y)**(key_part / (1 - key_part))
set xrange [first:final]
set yrange [low:high]
set xtics (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10)
set format y "%.0s%c"
set xlabel "arithmetic intensity, FLOP per byte moved" textcolor rgb ink
set ylabel "performance, FLOP/s" textcolor rgb ink
set key inside right bottom samplen 2.5 spacing 1.1 width -3
set label 4 "Left of a labelled point: more passes over memory. Below: slower ". \
    "than its bytes allow." at screen 0.015, screen 1 offset 0,-3.8 left \
    textcolor rgb faint

# The labels, from left to right: each ends above its points, and lies above all before.
pixel = (high / low)**(1. / ((head - bottom) * height))
base = X[1]; level = 0; words_here = ""
do for [n=1:labels+1] {
    next = 0
    do for [i=1:labels] { next = X[i] > 0 && (next == 0 || X[i] < X[next]) ? i : next }
    if (n > 1 && (next == 0 || X[next] > 1.01 * x || strlen(words_here) > 25)) {
        level = level * pixel**16
        level = level > memory * x * pixel**16 ? level : memory * x * pixel**16
        set label 10+n words_here at x, level right offset 0.6,0 textcolor rgb ink
        words_here = ""
    }
    if (next) {
        x = X[next]; X[next] = -1
        words_here = words_here.(strlen(words_here) ? ", " : "").Label[next]
    }
}

# Several passes over memory, by designs of the operation that comes first.
do for [k=1:words(seen)] {
    x = base / real(word(seen, k))
    set arrow 10+k from x, graph 0 to x, memory * x nohead ls 22
    set label 100+k word(seen, k)." passes" at x, graph 0.02 rotate by 90 \
        offset -0.9,0 textcolor rgb faint
}
slope(i, x) = roof > 0 && Slope[i] * x > roof ? roof : Slope[i] * x
shade(i) = word("#222222 #777777 #aaaaaa", Style[i] == 1 ? (i - 1) % 3 + 1 : 1)
set samples 200
plot for [i=1:slopes] slope(i, x) with lines lc rgb shade(i) lw 1.4 dt Style[i] \
        title Name[i], \
    keyentry with lines lc rgb ink lw 3 title (roof > high ? \
        gprintf("%.1s %cFLOP/s", roof).gprintf(" beyond %.1f FLOP/byte", roof / memory) : ""), \
    for [o=1:64] data index 2 using ($1 == o ? $2 : NaN):3 with points lt o \
        ps 0.6 notitle, \
    "" index 2 using (strcol(5) ne "." ? $2 : NaN):3 with points pt 6 ps 1.3 \
        lc rgb ink notitle, \
    for [i=1:marks] keyentry with points lt Op[i] ps 0.6 title word(Label[i], 1)
