// Damages every file of a data folder in every way; `bench/damage.bench.ts` does so at a thousand offsets.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  contentOf,
  damageFiles,
  damages,
  makeSample,
  onCopyOf,
  removeSample,
  type Sample,
  verdictOn,
} from '@app/deployments';
import { spawnEventStore } from '@app/embedded-event-store';
import { connect, describeEmbedded } from '../support/contract-server.js';
import { collect } from '../support/events.js';

/** After a graceful stop the journal contains nothing that is needed. */
const PLACES = { killed: 32, stopped: 10 } as const;

describeEmbedded.each(['killed', 'stopped'] as const)('data folder after the server was %s', (end) => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await makeSample(end);
  });
  afterAll(() => removeSample(sample));

  it('never yields wrong data silently, whichever file is damaged', async () => {
    const wrong: string[] = [];
    const verdicts = new Map<string, number>();
    for (const damage of damages(PLACES[end], end.length)) {
      const verdict = await verdictOn(sample, damage);
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      if (verdict === 'silently wrong') wrong.push(JSON.stringify(damage));
    }
    expect(wrong).toEqual([]);
    expect(verdicts.get('refused')).toBeGreaterThan(8);
  });

  it('is rejected with the lost position and the remedy if its database is missing', () =>
    onCopyOf(sample.folder, async (copy) => {
      damageFiles(sample, copy, { files: ['events.mdb'], kind: 'removed', place: 0 });
      await expect(spawnEventStore({ dataDir: copy })).rejects.toMatchObject({
        code: 'data-folder-damaged',
        message: expect.stringMatching(/position \d+.*--accept-loss/),
      });
    }));

  it('opens without the lost data if the loss is accepted, and records the loss in the log', () =>
    onCopyOf(sample.folder, async (copy) => {
      const file = end === 'killed' ? liveJournal(copy) : 'events.mdb';
      damageFiles(sample, copy, { files: [file], kind: 'flipped', place: end === 'killed' ? 0.001 : 0.5 });
      await expect(spawnEventStore({ dataDir: copy })).rejects.toMatchObject({
        code: 'data-folder-damaged',
      });
      const content = await contentOf(copy, true);
      const known = new Set(sample.content.split('\n'));
      const events = content.split('\n').filter((line) => /^\d+ /.test(line));
      expect(events.length).toBeGreaterThan(20);
      expect(events.filter((line) => !known.has(line))).toEqual([]);
      const [loss] = await lossesOf(copy);
      expect(loss).toMatchObject({
        reasons: [expect.stringContaining(file)],
        damagedFiles: expect.any(String),
      });
      expect(readdirSync(copy).some((name) => name.startsWith('damaged-'))).toBe(true);
      expect(await contentOf(copy)).toBe(content);
    }));
});

/** Returns the journal file with more frames: it contains events that the database lacks. */
const liveJournal = (folder: string): 'journal-0' | 'journal-1' => {
  const generation = (name: string): bigint => {
    const bytes = existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : Buffer.alloc(0);
    return bytes.length >= 8 ? bytes.readBigUInt64BE() : 0n;
  };
  return generation('journal-0') > generation('journal-1') ? 'journal-0' : 'journal-1';
};

const lossesOf = async (dataDir: string): Promise<unknown[]> => {
  const server = await spawnEventStore({ dataDir });
  const client = connect(server.url);
  const losses = await collect(client.readStream('$log-losses'));
  await client.dispose();
  await server.stop();
  return losses.map(({ event }) => event?.data);
};
