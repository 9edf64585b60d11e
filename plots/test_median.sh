#!/bin/sh
# SPDX-License-Identifier: MIT
#
# MEDIAN_AWK: what it makes of launches.
set -u
script=$(realpath "$1")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0

# NAME, of NAME.in and NAME.out
same() {
    if awk -f "$script" "$1.in" >"$1.got" && diff "$1.out" "$1.got"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
    fi
}

# The middle of three; the lower of two; the reason of the row that it is;
# what is not ok anywhere; another cache state is another cell.
cat >op.in <<'END'
op,variant,dtype,outer,axis,inner,cache,process,status,reason,gbps
sum,a,f32,1,8,1,cold,0,ok,,90
sum,a,f32,1,8,1,hot,0,ok,,7
sum,b,f32,1,8,1,cold,0,ok,,20
sum,c,f32,1,8,1,cold,0,ok,,20
sum,a,f32,1,8,1,cold,1,ok,,100
sum,b,f32,1,8,1,cold,1,ok,,10
sum,c,f32,1,8,1,cold,1,suspect,"with, comma",10
sum,a,f32,1,8,1,cold,2,ok,,9.5
sum,d,f32,1,8,1,cold,0,ok,,5
sum,d,f32,1,8,1,cold,1,wrong,"so, ""it"" is",
sum,e,f32,1,8,1,cold,0,skip,not here,
sum,e,f32,1,8,1,cold,1,skip,not here,
sum,f,f32,1,8
END
cat >op.out <<'END'
op,variant,dtype,outer,axis,inner,cache,process,status,reason,gbps
sum,a,f32,1,8,1,cold,median,ok,,90
sum,a,f32,1,8,1,hot,median,ok,,7
sum,b,f32,1,8,1,cold,median,ok,,10
sum,c,f32,1,8,1,cold,median,suspect,"with, comma",10
sum,d,f32,1,8,1,cold,1,wrong,"so, ""it"" is",
sum,e,f32,1,8,1,cold,0,skip,not here,
END
same op

# The best variant may be another one; the end is no ceiling.
cat >ceilings.in <<'END'
kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase
add,,f32,cold,,,,30,,0,start
traffic,copy,f32,cold,8,64,3,,x,0,start
traffic,copy,f32,cold,8,64,9,,x,0,end
add,,f32,cold,,,,20,,1,start
traffic,copy,f32,cold,8,64,5,,y,1,start
add,,f32,cold,,,,25,,2,start
traffic,copy,f32,cold,8,64,4,,y,2,start
END
cat >ceilings.out <<'END'
kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase
add,,f32,cold,,,,25,,median,start
traffic,copy,f32,cold,8,64,4,,y,median,start
END
same ceilings

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
