# SPDX-License-Identifier: MIT
#
# Draws a chart, gnuplot -c style.gp OUT DATA KIND, by KIND.gp in the style of all charts.
# DATA is a file of plots/charts.py or of proof/lib.py; V has the values of its first
# block: V[1] is the title, V[2] the subtitle. KIND.gp sets `width` and `height` (pixels
# in a README; a PNG has 1.5 times as many) and evaluates `look`.
out = ARG1; data = ARG2
kind = ARG0[1:strlen(ARG0)-strlen("style.gp")].ARG3.".gp"
set encoding utf8
set datafile separator tab
array V[20]
lines = 0
stats data index 0 using (lines = lines + 1, V[lines] = strcol(2), 1) nooutput

svg = strlen(out) > 4 && out[strlen(out)-3:] eq ".svg"
terminal = svg ? 'set terminal svg size width,height dynamic noenhanced '. \
        'font "DejaVu Sans,13" background "white"' : \
    'set terminal pngcairo size 1.5*width,1.5*height noenhanced '. \
        'font "DejaVu Sans,13" fontscale 1.125 linewidth 1.5 '. \
        'pointscale 1.5 background "white"'
look = terminal.'; set output out'

# Families get colour and point type from the data. Operations use Okabe and Ito's
# palette for colour-blind readers, without its yellow, which is too pale on white.
array Point[7] = [7, 5, 9, 13, 11, 15, 2]
array Size[7] = [0.75, 0.70, 0.85, 0.90, 0.85, 0.80, 0.75]
point(k) = Point[int(k) % 7 + 1]
bigness(k) = Size[int(k) % 7 + 1]
colours = "#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000"
do for [k=1:7] {
    set linetype k lc rgb word(colours, k) lw 1.8 pt Point[k] ps (k < 7 ? Size[k] : 0.7)
}
set linetype 8 lc rgb "#c4c4c4" lw 0.9 pt 7 ps 0.25 # all others

ink = "#222222"
faint = "#6a6a6a"
set style line 21 lc rgb "#444444" lw 1.6 dt (8,4)    # measured ceilings
set style line 22 lc rgb "#777777" lw 1.0 dt (3,3)    # sizes and limits
set style line 23 lc rgb "#e4e4e4" lw 0.7             # grid

set border 3 lw 0.8 lc rgb "#555555"
set tics nomirror out scale 0.5 textcolor rgb ink
set grid xtics ytics ls 23
set key noenhanced Left reverse samplen 2 spacing 1.2 textcolor rgb ink
key_below = 'set key bmargin left horizontal maxcols 3 height 1'
set style fill solid 1.0 noborder

# Title and subtitle.
set tmargin 4.9
set label 1 "".V[1] at screen 0.015, screen 1 offset 0,-1.1 left \
    font "DejaVu Sans Bold,15" textcolor rgb ink noenhanced
set label 2 "".V[2] at screen 0.015, screen 1 offset 0,-2.5 left \
    textcolor rgb faint noenhanced

# Prints 4096 as 4Ki, for powers of two only.
binary(n) = n < 2.**10 ? sprintf("%g", n) : \
    n < 2.**20 ? sprintf("%gKi", n / 2.**10) : \
    n < 2.**30 ? sprintf("%gMi", n / 2.**20) : sprintf("%gGi", n / 2.**30)

load kind
