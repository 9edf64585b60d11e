# SPDX-License-Identifier: MIT
#
# Left, the roofline: additions a second against additions a compulsory byte,
# under the measured slopes (one a twin) and the measured flat roof. An
# operation has one intensity, so its points stand in a column there; right,
# they lie along the fraction of their slope that they reach, the best named.
# A point is a family: its best row among the operation's largest tensors
# (at least half as many elements as the largest).
#
# gnuplot -c plots/roofline.gp OUT FOLDER "OP …" [DTYPE]
if (ARGC < 3) {
    print "usage: gnuplot -c roofline.gp OUT FOLDER 'OP ...' [DTYPE]"
    exit status 2
}
out = ARG1; folder = ARG2; ops = ARG3; wanted = ARG4
here = ARG0[1:strlen(ARG0)-strlen("roofline.gp")]

# ---- the points ------------------------------------------------------------
set datafile separator comma
set datafile columnheaders
additions(op) = nth(adding, op) > 0
elems(_) = column("outer") * column("axis") * column("inner")
large(_) = rated(0) && chosen(0) && 2 * elems(0) >= most
families_most = 500
array Pct[families_most]; array Name[families_most]
array Rate[families_most]; array Ratio[families_most]
array Firm[families_most]
this(_) = nth(families, family(strcol("variant")))
see(_) = (families = extend(families, family(strcol("variant"))), 1)
enter(_) = (Pct[this(0)] = column("pct_ceiling"), \
    Rate[this(0)] = 1e9 * column("gbps") * elems(0) / column("bytes"), \
    Ratio[this(0)] = elems(0) / column("bytes"), \
    Firm[this(0)] = firm(0), \
    Name[this(0)] = strcol("variant").(firm(0) ? "" : " (suspect)"), 1)
better_row(_) = firm(0) == Firm[this(0)] ? \
    column("pct_ceiling") > Pct[this(0)] : firm(0)

# Those with additions first: the others have no place on the left.
# What adds may err: only moving data has a bound of 0.
adding = ""; others = ""
rounds(_) = strcol("err_bound") ne "" && column("err_bound") > 0
do for [op in ops] {
    bounds = 0
    stats folder."/".op.".csv" using \
        (rounds(0) ? (bounds = bounds + 1, 1) : 1) nooutput
    if (bounds) { adding = adding." ".op } else { others = others." ".op }
}
drawn = ""
dtypes = ""
left = 0
low = 1e30
far = 105
array Best[words(ops)]
array BestPct[words(ops)]
array BestRate[words(ops)]
array BestRatio[words(ops)]
set print $points; print "# row, % of slope, adds / byte, adds / s"; unset print
do for [op in adding." ".others] {
    dtype = wanted
    load here."rows.gp"
    most = 0
    if (measured) {
        stats csv using (rated(0) && chosen(0) && elems(0) > most ? \
            (most = elems(0), 1) : 1) nooutput
    }
    if (most > 0) {
        drawn = extend(drawn, op)
        o = words(drawn)
        left = left + additions(op)
        dtypes = extend(dtypes, dtype)
        families = ""
        stats csv using (large(0) ? see(0) : 1) nooutput
        f = words(families)
        do for [i=1:f] { Pct[i] = -1; Firm[i] = 0 }
        stats csv using (large(0) && better_row(0) ? enter(0) : 1) nooutput
        b = 1
        set print $points append
        do for [i=1:f] {
            b = Firm[i] == Firm[b] ? (Pct[i] > Pct[b] ? i : b) : \
                (Firm[i] ? i : b)
            low = additions(op) && Rate[i] < low ? Rate[i] : low
            print sprintf("%d %g %g %g", o, Pct[i], \
                additions(op) ? Ratio[i] : NaN, Rate[i])
        }
        unset print
        Best[o] = Name[b]; BestPct[o] = Pct[b]
        BestRate[o] = Rate[b]; BestRatio[o] = additions(op) ? Ratio[b] : NaN
        far = 1.03 * Pct[b] > far ? 1.03 * Pct[b] : far
    }
}
n = words(drawn)
if (left == 0) {
    print folder.": no additions measured with their ceiling"
    exit status 77
}
dtype = word(dtypes, 1)

# ---- the slopes and the roof -----------------------------------------------
ceilings = folder."/ceilings.csv"
array Slope[50]; array Largest[50]
mix(_) = strcol("kind") eq "traffic" && strcol("dtype") eq dtype && \
    strcol("cache") eq cache && strcol("phase") ne "end"
twins = ""
stats ceilings using (mix(0) ? (twins = extend(twins, strcol("twin")), 1) : 1) \
    nooutput
slopes = words(twins)
do for [i=1:slopes] { Slope[i] = 0; Largest[i] = 0 }
twin(_) = nth(twins, strcol("twin"))
larger(_) = column("elems") > Largest[twin(0)] || \
    (column("elems") == Largest[twin(0)] && column("gbps") > Slope[twin(0)])
raise(_) = (Largest[twin(0)] = column("elems"), \
    Slope[twin(0)] = column("gbps"), 1)
stats ceilings using (mix(0) && larger(0) ? raise(0) : 1) nooutput
steepest = 0
do for [i=1:slopes] { steepest = Slope[i] > steepest ? Slope[i] : steepest }

# Half types are added in f32.
adder = dtype eq "f64" ? "f64" : "f32"
roof = 0
flat(_) = strcol("kind") eq "add" && strcol("dtype") eq adder && \
    column("gflops") > roof
stats ceilings using (flat(0) ? (roof = column("gflops"), 1) : 1) nooutput

# ---- the picture -----------------------------------------------------------
title_text = sprintf("Roofline, %s: measured slopes, measured roof", dtype)
subtitle_text = device_name.". ".cache_text." ". \
    "A point is a family's best, on the largest tensors."
width = 900; height = 110 + 62 * (n < 5 ? 5 : n)
load here."style.gp"
set datafile separator whitespace
unset datafile columnheaders
set tmargin at screen 1 - 68. / height
set bmargin at screen 56. / height
set output out
set multiplot

set lmargin at screen 0.085
set rmargin at screen 0.46
set logscale xy
ridge = roof > 0 && steepest > 0 ? roof / steepest : 4
right = ridge > 1 ? 4 * ridge : 4
set xrange [0.03:right]
top = roof > 0 ? 1e9 * roof : 1e9 * steepest * right
set yrange [low / 20:top * 4]
set format x "%g"
set format y "%.0s%c"
set xlabel "additions / compulsory byte"
set ylabel "additions / s"
set key bottom right samplen 3 spacing 1.1
slope(i, x) = roof > 0 && Slope[i] * x > roof ? NaN : 1e9 * Slope[i] * x
if (roof > 0) {
    set label 3 adder." additions ".gprintf("%.1s %c/s", 1e9 * roof) \
        at right, 1e9 * roof right offset 0,0.6 textcolor rgb ink
}
set samples 300
plot for [i=1:slopes] slope(i, x) with lines lc rgb "#444444" lw 1.2 dt i \
        title sprintf("%s %.4g GB/s", word(twins, i), Slope[i]), \
    roof > 0 && x >= ridge ? 1e9 * roof : NaN with lines lc rgb ink lw 2 \
        notitle, \
    for [o=1:left] $points using ($1 == o ? $3 : NaN):4 \
        with points lt o ps 0.35 notitle, \
    for [o=1:left] [0:0] '+' using (BestRatio[o]):(BestRate[o]) \
        with points lt o ps 1.1 notitle

unset logscale
unset label 3
unset label 1
unset label 2
set lmargin at screen 0.64
set rmargin at screen 0.98
set border 1
set xrange [0:far]
set yrange [n + 0.5:0.4]
set xtics 0,20 format "%.0f%%"
set ytics scale 0 ()
set format y ""
set grid noytics
set xlabel "fraction of its slope"
unset ylabel
unset key
set arrow 1 from 100, graph 0 to 100, graph 1 nohead ls 21
do for [o=1:n] {
    set label 10+o word(drawn, o) at screen 0.625, first o right \
        textcolor lt o
    set label 30+o sprintf("%s %.1f%%", Best[o], BestPct[o]) \
        at BestPct[o], o right offset 0,0.9 textcolor rgb ink
}
plot for [o=1:n] $points using ($1 == o ? $2 : NaN):1 \
        with points lt o ps 0.5, \
    for [o=1:n] [0:0] '+' using (BestPct[o]):(o) with points lt o ps 1.1
unset multiplot
