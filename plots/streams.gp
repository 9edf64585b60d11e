# SPDX-License-Identifier: MIT
#
# What the memory likes: GB/s of the copy_streams probes against how many
# streams of addresses the GPU walks at a time, a curve for each block size,
# at the largest tensor. gnuplot -c plots/streams.gp OUT FOLDER
if (ARGC < 2) {
    print "usage: gnuplot -c streams.gp OUT FOLDER"
    exit status 2
}
out = ARG1; folder = ARG2; op = "copy"; dtype = "f32"
here = ARG0[1:strlen(ARG0)-strlen("streams.gp")]
load here."rows.gp"
if (!measured) { exit status 77 }

# copy_streams_s64_v4: 64 streams, 4 vectors a thread.
mine(_) = chosen(0) && strstrt(strcol("variant"), "copy_streams_s") == 1
name(_) = strcol("variant")
streams(_) = real(name(0)[strlen("copy_streams_s")+1:\
    strstrt(name(0), "_v")-1])
vectors(_) = int(name(0)[strstrt(name(0), "_v")+2:])
elems(_) = column("outer") * column("axis") * column("inner")
largest = 0
stats csv using (mine(0) && elems(0) > largest ? (largest = elems(0), 1) : 1) \
    nooutput
if (largest == 0) { print csv.": no copy_streams row"; exit status 77 }

title_text = "copy, f32: streams of addresses walked at a time"
subtitle_text = sprintf("%s. %s elements. The axis does not start at 0.", \
    device_name, binary(largest))
width = 760; height = 420
load here."style.gp"
set rmargin 3
set logscale x 2
set xlabel "streams"
set ylabel "GB/s of compulsory bytes"
set key bottom left
# One curve's points, in the order of their streams.
set output out
shown(v) = mine(0) && vectors(0) == v && elems(0) == largest
plot for [v in "1 4 16"] csv using \
    (shown(int(v)) ? streams(0) : NaN):(column("gbps")) \
    smooth unique with linespoints \
    title sprintf("blocks of %d KiB", 4 * int(v))
