import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import fc from 'fast-check';
import type { Engine, Entry, Put, Scan, Table } from '../engine.js';
import { type LogEnd, LogMark, MARK_FILE } from '../integrity/log-mark.js';
import { openJournaled } from './journaled-engine.js';

/** The simplest correct engine. */
class MemoryEngine implements Engine {
  readonly #tables = new Map<Table, Map<string, Buffer>>();
  /** If set, commits fail with it. */
  fault: AppError | undefined;

  get(table: Table, key: Buffer): Buffer | undefined {
    return this.#table(table).get(key.toString('latin1'));
  }
  scan(table: Table, { from, until, backwards, limit, bytesMax = Number.POSITIVE_INFINITY }: Scan): Entry[] {
    const sign = backwards ? -1 : 1;
    let bytes = 0;
    return [...this.#table(table)]
      .map(([key, value]) => ({ key: Buffer.from(key, 'latin1'), value }))
      .filter(({ key }) => key.compare(from) * sign >= 0 && (!until || key.compare(until) * sign < 0))
      .sort((a, b) => a.key.compare(b.key) * sign)
      .slice(0, limit)
      .filter(({ value }) => {
        const fits = bytes < bytesMax;
        bytes += value.length;
        return fits;
      });
  }
  async commit(puts: readonly Put[]): Promise<void> {
    await Promise.resolve();
    if (this.fault) throw this.fault;
    for (const { table, key, value } of puts)
      if (value) this.#table(table).set(key.toString('latin1'), value);
      else this.#table(table).delete(key.toString('latin1'));
  }
  async close(): Promise<void> {}

  #table(name: Table): Map<string, Buffer> {
    const table = this.#tables.get(name) ?? new Map<string, Buffer>();
    this.#tables.set(name, table);
    return table;
  }
}

/** Small files, which alternate all the time. */
const TINY = { fileBytes: 400, fileBytesMax: 1_200 };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (key: string, value: string): Put => ({
  table: 'log',
  key: Buffer.from(key),
  value: Buffer.from(value),
});
const contentOf = (engine: Engine): string =>
  engine
    .scan('log', { from: Buffer.from(' '), limit: 1_000 })
    .map(({ key, value }) => `${key}=${value}`)
    .join(' ');

/** Guarantee: an engine behind a journal returns the same results, before a crash and after. */
describe('journaled engine', () => {
  const key = fc.integer({ min: 0, max: 30 }).map((n) => Buffer.from([0, n]));
  const puts = fc.array(
    fc.record(
      {
        table: fc.constantFrom('log' as const, 'heads' as const),
        key,
        value: fc.uint8Array({ maxLength: 60 }),
      },
      { requiredKeys: ['table', 'key'] },
    ),
    { maxLength: 6 },
  );
  const scan = fc.record(
    {
      from: key,
      until: key,
      backwards: fc.boolean(),
      limit: fc.integer({ min: 1, max: 9 }),
      bytesMax: fc.nat(99),
    },
    { requiredKeys: ['from', 'limit'] },
  );
  const step = fc.oneof(
    fc.record({ puts }),
    fc.record({ scan, key }),
    fc.record({ crash: fc.constant(true), closed: fc.boolean() }),
  );

  it('contains every commit after any order of commits, reads and crashes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        rmSync(folder, { recursive: true });
        folder = mkdtempSync(join(tmpdir(), 'journal-'));
        const model = new MemoryEngine();
        const behind = new MemoryEngine();
        let mark = LogMark.open(folder);
        let engine = openJournaled(folder, behind, mark, TINY);
        for (const one of steps) {
          if ('puts' in one) {
            const changes = one.puts.map(({ value, ...rest }) =>
              value ? { ...rest, value: Buffer.concat([Buffer.from('v'), value]) } : rest,
            );
            await model.commit(changes);
            await engine.commit(changes);
          } else if ('scan' in one) {
            for (const table of ['log', 'heads'] as const) {
              expect(engine.get(table, one.key)).toEqual(model.get(table, one.key));
              expect(engine.scan(table, one.scan)).toEqual(model.scan(table, one.scan));
            }
          } else {
            if (one.closed) await engine.close();
            mark.close(); // Simulates a killed process: the old engine may not update the mark.
            mark = LogMark.open(folder);
            engine = openJournaled(folder, behind, mark, TINY);
          }
        }
        await engine.close();
        const all = { from: Buffer.from([0]), limit: 100 };
        expect(behind.scan('log', all)).toEqual(model.scan('log', all));
      }),
      { numRuns: 200 },
    ));

  it('continues a scan after a removed entry that fills a page by itself', async () => {
    const behind = new MemoryEngine();
    const [first, second] = [Buffer.from('a'), Buffer.from('b')];
    const value = Buffer.alloc(50);
    await behind.commit([first, second].map((key) => ({ table: 'heads', key, value })));
    const engine = openJournaled(folder, behind, LogMark.open(folder), TINY);
    await engine.commit([{ table: 'heads', key: first }]);
    expect(engine.scan('heads', { from: first, limit: 1, bytesMax: 9 })).toEqual([{ key: second, value }]);
    await engine.close();
  });
});

describe('recovery after a crash', () => {
  const file = () => join(folder, 'journal-0');
  const damage = (text: string): void => {
    const bytes = readFileSync(file());
    bytes.write('#', bytes.indexOf(text));
    writeFileSync(file(), bytes);
  };
  const writtenAs = async (...values: readonly string[]): Promise<void> => {
    const engine = openJournaled(folder, new MemoryEngine(), LogMark.open(folder));
    for (const [at, value] of values.entries()) await engine.commit([put(`k${at}`, value)]);
  };

  it('restores every commit', async () => {
    await writtenAs('one', 'two', 'three');
    expect(contentOf(openJournaled(folder, new MemoryEngine(), LogMark.open(folder)))).toBe(
      'k0=one k1=two k2=three',
    );
  });

  it('skips an incomplete last commit and continues', async () => {
    const engineBefore = openJournaled(folder, new MemoryEngine(), LogMark.open(folder));
    for (const [at, value] of ['one', 'two'].entries()) await engineBefore.commit([put(`k${at}`, value)]);
    const acknowledged = readFileSync(join(folder, MARK_FILE));
    await engineBefore.commit([put('k2', 'torn')]);
    writeFileSync(join(folder, MARK_FILE), acknowledged);
    damage('torn');
    const engine = openJournaled(folder, new MemoryEngine(), LogMark.open(folder));
    await engine.commit([put('k9', 'next')]);
    expect(contentOf(engine)).toBe('k0=one k1=two k9=next');
  });

  it('rejects a journal with damage before its end', async () => {
    await writtenAs('one', 'rotten', 'three');
    damage('rotten');
    expect(() => openJournaled(folder, new MemoryEngine(), LogMark.open(folder))).toThrow(
      expect.objectContaining({ code: 'data-folder-damaged' }),
    );
  });

  it('rejects a journal whose acknowledged last commit is damaged', async () => {
    await writtenAs('one', 'two', 'rotten');
    damage('rotten');
    expect(() => openJournaled(folder, new MemoryEngine(), LogMark.open(folder))).toThrow(
      expect.objectContaining({ code: 'data-folder-damaged' }),
    );
  });
});

/** Each case is one that no other check of the folder notices. */
describe('files of different times or logs', () => {
  const generation = 1n << 32n;
  const eightBytes = (number: bigint): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(number);
    return bytes;
  };
  const openWith = (end: Partial<LogEnd>, behind = new MemoryEngine()): Engine => {
    const mark = LogMark.open(folder);
    mark.write({ logId: '0'.repeat(32), isClosed: false, position: 0, moved: 0n, live: [], ...end });
    return openJournaled(folder, behind, mark);
  };
  const damaged = (message: RegExp) =>
    expect.objectContaining({ code: 'data-folder-damaged', message: expect.stringMatching(message) });

  it('opens if the mark promises what is there', () => {
    expect(contentOf(openWith({}))).toBe('');
  });

  it.each<[string, Partial<LogEnd>, RegExp]>([
    ['a database older than the mark', { moved: generation }, /events\.mdb is older than/],
    ['fewer events than acknowledged', { position: 100 }, /truncated; events .* 0 and 100 are missing/],
    ['a missing journal', { live: [{ generation, end: 100 }] }, /a journal file in .* is missing/],
  ])('rejects %s', (_, end, message) => {
    expect(() => openWith(end)).toThrow(damaged(message));
  });

  it('rejects a journal that the mark does not know', async () => {
    await openJournaled(folder, new MemoryEngine(), LogMark.open(folder)).commit([put('k', 'theirs')]);
    expect(() => openWith({})).toThrow(damaged(/journal-0 belongs to another log/));
  });

  it('rejects a mark older than the database', async () => {
    const behind = new MemoryEngine();
    await behind.commit([{ table: 'about', key: Buffer.from('log-end'), value: eightBytes(9n) }]);
    expect(() => openWith({}, behind)).toThrow(damaged(/log-end is older than .*events\.mdb/));
  });
});

describe('full disk behind the journal', () => {
  it('accepts commits up to a limit, rejects more, and continues after space is freed', async () => {
    const behind = new MemoryEngine();
    const engine = openJournaled(folder, behind, LogMark.open(folder), TINY);
    behind.fault = new AppError('disk-full', 'disk full');
    const accepted: string[] = [];
    const fill = async (): Promise<void> => {
      for (let n = 10; ; n += 1) {
        await engine.commit([put(`k${n}`, 'x'.repeat(40))]);
        accepted.push(`k${n}=${'x'.repeat(40)}`);
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'disk-full' });
    expect(accepted.length).toBeGreaterThan(10);
    expect(contentOf(engine)).toBe(accepted.join(' '));

    behind.fault = undefined;
    await engine.commit([put('k99', 'last')]);
    expect(contentOf(engine)).toBe([...accepted, 'k99=last'].join(' '));
    await engine.close();
    expect(contentOf(behind)).toBe([...accepted, 'k99=last'].join(' '));
  });
});
