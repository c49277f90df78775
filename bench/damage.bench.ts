/**
 * Flips, truncates, empties, removes and replaces every file of a data folder at seeded offsets. Measures safety
 * instead of speed: no damage yields wrong data silently.
 */
import { damages, makeSample, removeSample, verdictOn } from '@app/deployments';
import { readInvocation } from './support/invocation.js';
import { note, report } from './support/report.js';

const { quick } = readInvocation();
const SEED = Number(process.env.PALIMPSEST_BENCH_SEED ?? Date.now() % 100_000);
const PLACES = Number(process.env.PALIMPSEST_BENCH_PLACES ?? (quick ? 30 : 1_000));

note(`seed ${SEED}`);
const verdicts = new Map<string, number>();
for (const end of ['killed', 'stopped'] as const) {
  const sample = await makeSample(end);
  for (const damage of damages(Math.ceil(PLACES / 2), SEED)) {
    const verdict = await verdictOn(sample, damage);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (verdict === 'silently wrong') note(`${end}: ${JSON.stringify(damage)}`);
  }
  removeSample(sample);
}
const wrong = verdicts.get('silently wrong') ?? 0;
report(
  `damage: ${PLACES} places, ${wrong} silently wrong (promised: none)`,
  ['verdict', 'places'],
  [...verdicts].map(([verdict, count]) => [verdict, `${count}`]),
);
if (wrong > 0) process.exitCode = 1;
