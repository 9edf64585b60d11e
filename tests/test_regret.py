# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: `scanbench regret` on a made run: its figures in every format, and
its exit statuses."""
import expect
import made_runs
from expect import ok, transcript, write

HEADER = f'{made_runs.HEADER},launch_us,passes'


def manifest(folder, utc):
    made_runs.manifest(folder, 'device_name,X', f'utc,{utc}')
    write(f'{folder}/ceilings.csv',
          'kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase')


# Regrets of 0 to 100 %; the fastest variant reaches half of the ceiling.
manifest('run', '20260101T000000Z')
write('run/cumsum.csv', HEADER, *(
    f'X,cumsum,{name},f32,{k + 1},1000,2,cold,0,ok,,,{us:g},{us:g},{us:g},{1000 / us:g},'
    f'{1000 / us:g},{us:g},1'
    for k in range(101) for name, us in (('best', 20 * (1 + k / 100)), ('fast_b256', 20))))
write('run/sum.csv', HEADER, *(
    line for k, status in enumerate(('slow', 'untried', 'skip')) for line in (
        f'X,sum,best,f16,{k + 1},1000,1,cold,0,{status},why,,,,,,,4000,1',
        f'X,sum,fast,f16,{k + 1},1000,1,cold,0,ok,,,20,20,20,50,50,20,1')),
    'X,sum,best,f16,64,4096,1,hot,0,ok,,,90,90,90,50,50,90,1')
# A newer run of a variant counts, here by its share: 33 against 50 %.
manifest('newer', '20270101T000000Z')
write('newer/cumsum.csv', HEADER,
      'X,cumsum,best,f32,101,1000,2,cold,0,ok,,,30,30,30,33,33,30,1')
transcript(r'''
0 regret run
    ^  all            101    50    90    95    99   100    26    29    33    50    50    50    75       0$
    ^  tiny_inner     101    50
    ^  short_lines      2   inf   inf   inf   inf   inf   0.0   0.1   0.1    50    50    50     2       1$
    sum f16 2x1000x1 *short_lines *untried *+inf %: fast 20.0 us, 50 %
    sum f16 1x1000x1 *short_lines *4000.0 us, 0.2 %, untimed *+19900 %
    ^Low: 77 of 103 (the first 10; --top 0: all)
0 regret run --format csv => ^op,.*,regret_p5_pct,.*,winner_share_p100_pct$
    ^cumsum,f32,all,101,0,0,75,5,25,50,75,90,95,99,100,
0 regret run --cells => ^sum,f16,3,.*,best,skip,inf,0,fast,20,50,inf$
    ^cumsum,f32,101,1000,2,,tiny_inner,cold,best,ok,40,25,fast_b256,20,50,100$
0 regret run --format markdown => ^| cumsum | f32 | all | 101 | 50 | 90 |
0 regret run --format csv --variant fast_b256 => ^cumsum,f32,all,101,0,0,0,0,0,0,0,0,0,0,0,50,
0 regret run --format csv --op sum --dtype f16 => ^op, => - cumsum
0 regret run --cells --shape 1x1000x2 --family fast,best => # 2 .
0 regret run --format csv -f best => ^cumsum,f32,all,101,0,0,75,,,,
0 regret run --cells --cache hot => ^sum,f16,64,.*,few_lines,hot,best,ok,90,50,best,90,50,$
0 regret run newer --cells => # 1 f32,101,
    ^cumsum,f32,101,.*,best,ok,30,33,fast_b256,20,50,51.5152$
0 regret run $f32 --max-regret 90,99
1 regret run $f32 --max-regret 89.9,99
    ! cumsum f32: the 90th percentile of the regret is 90 %, above 89.9
1 regret run $f32 --max-regret 90,98.9
0 regret run $f32 --min-share 25.5,28.5,33
1 regret run $f32 --min-share 25.7,0,0
    ! cumsum f32: the 5th percentile of the share is 25.6 %, below 25.7
1 regret run $f32 --min-share 0,29,0
    ! 25th percentile of the share is
1 regret run $f32 --min-share 0,0,33.4
1 regret run --dtype f32,f16 --min-share 1,0,0
    ! ^scanbench: sum f16: the 5th
0 regret run $f32 --max-low 75
1 regret run $f32 --max-low 74
    ! low cells: 75, more than 74
    ! cumsum f32: 75 of them
1 regret run --op sum --max-regret 5,1e9
77 regret run --variant none
2 regret
0 regret run --top 0
''', {'f32': '--op cumsum --format csv'})
ok('no complaint', not expect.err, expect.err)
low = expect.out[expect.out.index('\nLow'):]
ok('all that are low', len(expect.grep('^  ', low)) == 77, low)
for words in ('--max-regret 5', '--max-regret 5,x', '--max-regret 5,6,7', '--min-share 5,6',
              '--min-share 5,6,-7', '--max-low -1',
              '--max-low x', '--max-regret nan,nan', 'nowhere'):
    transcript(f'2 regret run {words}')
expect.tally()
