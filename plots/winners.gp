# SPDX-License-Identifier: MIT
#
# A map of what was measured: the family that won there, and the per cent of the
# ceiling that it reached.
out = ARG1; data = ARG2
load ARG0[1:strlen(ARG0)-strlen("winners.gp")]."style.gp"
names = int(V[5]); more = int(V[6])
array Name[8]
stats data index 1 using (Name[int($1)] = strcol(2), 1) nooutput
width = 960; height = 500
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
set key outside right top
plot for [r=1:8] data index 2 using ($3 == r ? $1 : NaN):2 with points lt r \
        ps 1.6 notitle, \
    "" index 2 using 1:2:4 with labels offset 0,1 font ",11" \
        textcolor rgb ink notitle, \
    for [r=1:names] keyentry with points lt r ps 1.6 title Name[r], \
    keyentry with points lt 8 ps 1.6 title (more > 0 ? \
        sprintf("%d more families", more) : "")
