import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { GetContext, ReadSession, RequestCompaction, type SessionRef } from '@app/application';
import { openTranscript } from '@app/formats';
import { Actor, Revision, TenantId } from '@app/kernel';
import { openPalimpsest, type Palimpsest, parseConfig } from '@app/platform';
import type { Recorded } from '@app/ports';
import fc from 'fast-check';
import { contextFaults, FORMATS } from '../support/context-faults.js';
import { RECORDED_FILES } from '../support/recorded-files.js';
import { exportedFacts, reasoningOf, seriesOf } from '../support/source-facts/fact.js';
import { factsOfFile } from '../support/source-facts/read-source.js';

// All combinations of files, windows and profiles take half an hour: PALIMPSEST_FULL_MATRIX=1. By default each file
// is played once, at its hardest window, and checked at fewer revisions.
const isFull = process.env.PALIMPSEST_FULL_MATRIX === '1';
const isWanted = RECORDED_FILES.length > 0;
const WINDOWS = isFull ? [8_000, 32_000, 200_000] : [8_000];
const PROFILES = isFull ? ['core', 'deterministic'] : ['core'];
const OTHER_REVISIONS = isFull ? 40 : 2;
/** The number of newest compactions whose contexts are checked before and after. */
const COMPACTIONS = isFull ? 1_000 : 2;
const caller = { actor: Actor('test') };

let palimpsest: Palimpsest;
let data: string;
beforeAll(async () => {
  if (!isWanted) return;
  data = await mkdtemp(join(tmpdir(), 'palimpsest-matrix-'));
  palimpsest = await openPalimpsest(parseConfig({ PALIMPSEST_DATA: data }));
});
afterAll(async () => {
  if (!isWanted) return;
  await palimpsest.close();
  await rm(data, { recursive: true, force: true });
});

const cases = RECORDED_FILES.flatMap((file) =>
  WINDOWS.flatMap((window) => PROFILES.map((profile) => ({ file, window, profile, name: basename(file) }))),
);

/** Guarantee: providers accept every context that a session ever had, for any window and policy. */
(isWanted ? describe : describe.skip)('recorded session', () => {
  it.each(cases)(
    'has valid contexts at every revision: $name at $window under $profile',
    async ({ file, window, profile }) => {
      const facts = factsOfFile(file);
      const reasoning = reasoningOf(facts);
      const tenant = TenantId(`w${window}_${profile}`);
      const first = await importFile(file, tenant, window, profile);
      const ref: SessionRef = { tenant, session: first.session };

      expect(await faultsAt(ref, revisionsToLookAt(await eventsOf(ref)), reasoning)).toEqual([]);
      await expectFits(ref);
      expect(seriesOf(exportedFacts(linesOf(await eventsOf(ref))))).toEqual(seriesOf(facts));

      const before = await newestOf(ref);
      expect(await importFile(file, tenant, window, profile)).toEqual(first);
      expect(await newestOf(ref)).toBe(before);

      const { compactionId } = await palimpsest.commands.execute(
        new RequestCompaction(ref, { trigger: 'explicit' }, caller),
      );
      const outcome = await palimpsest.outcomes.outcomeOf(ref, compactionId);
      expect(outcome.type).not.toBe('CompactionFailed');
      expect(await faultsAt(ref, [await newestOf(ref)], reasoning)).toEqual([]);
      await expectFits(ref);
    },
  );
});

const importFile = async (file: string, tenant: TenantId, window: number, profile: string) => {
  const { format, items } = await openTranscript(createReadStream(file), { name: file });
  const { sessions, skipped } = await palimpsest.importer.import(
    format,
    items,
    { tenant, profile, window },
    caller,
  );
  expect(skipped).toEqual([]);
  expect(sessions).toHaveLength(1);
  const [session] = sessions;
  if (!session) throw new Error('it holds no session');
  return session;
};

const eventsOf = async (ref: SessionRef): Promise<Recorded[]> => {
  const events: Recorded[] = [];
  for await (const event of await palimpsest.queries.execute(new ReadSession(ref, {}))) events.push(event);
  return events;
};
const newestOf = async (ref: SessionRef): Promise<Revision> =>
  (await palimpsest.queries.execute(new GetContext(ref, 'anthropic'))).revision;

const linesOf = (events: readonly Recorded[]) =>
  events.flatMap(({ event }) =>
    event.type === 'MessageAppended' && !event.data.message.synthetic
      ? [{ role: event.data.message.role, content: event.data.message.blocks }]
      : [],
  );

/** The number of revisions to check per compaction: those of its events, and the ones before. */
const EVENTS_OF_ONE = 12;

/**
 * Returns the revisions right before and after every event of a compaction, the newest, and some others; none before
 * the first user message, when there is no request yet.
 */
const revisionsToLookAt = (events: readonly Recorded[]): readonly Revision[] => {
  const spoken = events.findIndex(
    ({ event }) => event.type === 'MessageAppended' && event.data.message.role !== 'system',
  );
  const around = events
    .filter(({ event }) => event.type.startsWith('Compaction'))
    .flatMap(({ revision }) => [revision - 1, revision])
    .slice(-COMPACTIONS * EVENTS_OF_ONE);
  const [others = []] = fc.sample(
    fc.array(fc.nat({ max: events.length - 1 }), { minLength: OTHER_REVISIONS, maxLength: OTHER_REVISIONS }),
    { numRuns: 1, seed: events.length },
  );
  const all = [...new Set([...around, ...others, events.length - 1])];
  return all.filter((revision) => revision >= spoken).map(Revision);
};

const faultsAt = async (ref: SessionRef, revisions: readonly Revision[], reasoning: readonly string[]) => {
  const faults: string[] = [];
  for (const revision of revisions) {
    for (const format of FORMATS) {
      const { request, violations } = await palimpsest.queries.execute(new GetContext(ref, format, revision));
      const found = contextFaults(format, request, reasoning).map((fault) => `${format}: ${fault}`);
      faults.push(...found.map((fault) => `revision ${revision}: ${fault}`));
      if (found.length === 0) expect(violations).toEqual([]);
    }
  }
  return faults;
};

/** Expects the context to be within its window, or the newest skip to name the parts that are too large. */
const expectFits = async (ref: SessionRef): Promise<void> => {
  const { tokens, window } = await palimpsest.queries.execute(new GetContext(ref, 'anthropic'));
  if (tokens <= window) return;
  const skipped = (await eventsOf(ref)).flatMap(({ event }) =>
    event.type === 'CompactionSkipped' ? [event.data.reason] : [],
  );
  expect(skipped.at(-1)).toMatchObject({ rule: 'floor-too-high', parts: expect.any(Array) });
};
