# SPDX-License-Identifier: MIT
#
# PTX SAID: a row for every kernel and architecture from what ptxas -v said, and
# of the PTX the most threads of a block, the accesses to global memory that
# stand there, and the tags (common/launch/arch.cuh), joined by +. Accesses are
# the bytes of those that move 16 or more at once (wide), and of the others
# (narrow). It counts places in the code, not how often they run.
BEGIN {
    print "kernel,arch,registers,stack_bytes,spill_store_bytes," \
        "spill_load_bytes,shared_bytes,block_threads,wide_load_bytes," \
        "narrow_load_bytes,wide_store_bytes,narrow_store_bytes,tags"
}

# "st.global.v4.f32": 16
function access_bytes(word, part, count, k, times) {
    count = split(word, part, ".")
    times = 1
    for (k = 1; k < count; ++k)
        if (part[k] ~ /^v[248]$/)
            times = substr(part[k], 2)
    return times * substr(part[count], 2) / 8
}

function count_access(word, what, bytes) {
    bytes = access_bytes(word)
    total[name, what, bytes >= 16] += bytes
}

# ---- the PTX
FNR == NR && /[.]entry / {
    name = $0
    sub(/.*[.]entry */, "", name)
    sub(/[^A-Za-z0-9_$].*/, "", name)
    next
}
FNR == NR && /[.]maxntid / { threads[name] = $2 + 0; next }
FNR == NR && $1 == "//" && $2 == "tag" {
    tags[name] = tags[name] (tags[name] ? "+" : "") $3
    next
}
FNR == NR {
    word = $1 ~ /^@/ ? $2 : $1
    if (word ~ /^ld[.]([a-z_:0-9A-Z]+[.])*global/)
        count_access(word, "load")
    else if (word ~ /^st[.]([a-z_:0-9A-Z]+[.])*global/)
        count_access(word, "store")
    # Asynchronous copies, which take 16 bytes or more here.
    else if (word ~ /^cp[.]async[.]cg[.]shared[.]global/ ||
             word ~ /^cp[.]async[.]bulk[.].*shared[^.]*[.]global/)
        total[name, "load", 1] += 16
    else if (word ~ /^cp[.]async[.]bulk[.].*global[.]shared/)
        total[name, "store", 1] += 16
    next
}

# ---- what ptxas said
/Compiling entry function/ {
    split($0, part, "'")
    name = part[2]
    arch = part[4]
}
/Function properties for / { of = $NF }
/bytes stack frame/ && of == name {
    stack = $1
    spill_stores = $5
    spill_loads = $9
}
/ Used [0-9]+ registers/ {
    registers = shared = 0
    for (k = 2; k <= NF; ++k) {
        if ($k ~ /^registers/)
            registers = $(k - 1)
        else if ($k ~ /^smem/)
            shared = $(k - 2)
    }
    print name "," arch "," registers "," stack "," spill_stores "," \
        spill_loads "," shared "," threads[name] + 0 "," \
        total[name, "load", 1] + 0 "," total[name, "load", 0] + 0 "," \
        total[name, "store", 1] + 0 "," total[name, "store", 0] + 0 "," \
        tags[name]
}
