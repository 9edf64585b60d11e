# SPDX-License-Identifier: MIT
#
# Reads the messages of `check` and `run` about planted bugs, and prints NAME|WORDS
# for each, in the words of docs/verification.md.
match($0, /^[a-z]+: [a-z_]+\/[a-z_]+\//) {
    split(substr($0, 1, RLENGTH), part, "[:/] *")
    what = part[1] == "timeout" ? "timeout" : "status"
    if (/ the worker /) what = "worker"
    else if (/ under stress[:;] /) what = "stress"
    else if (/ waits for the device$/) what = "the gate"
    else if (/ the host.s clock /) what = "the host\047s clock"
    else if (/ wrote to its (input |offsets)/) what = "input"
    else if (/ wrote (before|past|beside) /) what = "guards"
    else if (/ did not write an element /) what = "canary"
    else if (/ than the verified one/ || / a timed launch: /) what = "output check"
    else if (/ in line [0-9]*: element / || / spreads a NaN /) what = "nonfinite"
    else if (/ should be monotone, but /) what = "rising"
    else if (/ launch [0-9]* of [0-9]*[: ]/) what = "`--repeat`"
    else if (/ exact input:/) what = "exact"
    else if (/ special input:/) what = "special"
    else if (/ input of any bits:/) what = "bits"
    else if (/ real input:/) what = "real"
    else if (/ second launch:/ || / after timing:/) what = "changed input"
    print part[3] "|" what
}
