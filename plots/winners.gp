# SPDX-License-Identifier: MIT
#
# A map of what was measured: the family that won there, and the per cent of the
# ceiling that it reached.
out = ARG1; data = ARG2
load ARG0[1:strlen(ARG0)-strlen("winners.gp")]."style.gp"
names = int(V[5]); more = int(V[6])
array Name[8]; array Colour[8]; array Kind[8]
Colour[8] = 0xc4c4c4; Kind[8] = 0
stats data index 1 using (Name[int($1)] = strcol(4), \
    Colour[int($1)] = int($2), Kind[int($1)] = int($3), 1) nooutput
width = 900; height = 560
eval look
set logscale xy 2
set xtics ()
set ytics ()
do for [e=0:40:2] {
    set xtics add (binary(2.**e) 2.**e)
    set ytics add (binary(2.**e) 2.**e)
}
set offsets graph 0.05, graph 0.05, graph 0.09, graph 0.05
ylabel_text = V[3]; xlabel_text = V[4]
set ylabel ylabel_text textcolor rgb ink
set xlabel xlabel_text textcolor rgb ink
eval key_below
plot for [r=1:names] data index 2 using ($3 == r ? $1 : NaN):2 with points \
        lc rgb Colour[r] pt point(Kind[r]) ps 1.6 notitle, \
    "" index 2 using ($3 == 8 ? $1 : NaN):2 with points lt 8 ps 1.6 notitle, \
    "" index 2 using 1:2:4 with labels offset 0,1 font ",11" \
        textcolor rgb ink notitle, \
    for [r=1:names] keyentry with points lc rgb Colour[r] \
        pt point(Kind[r]) ps 1.6 title Name[r], \
    keyentry with points lt 8 ps 1.6 title (more > 0 ? \
        sprintf("%d more families", more) : "")
