import fc from 'fast-check';
import { EventId } from '../event-id.js';
import { decideAppend, type ExpectedRevision, type StreamView } from './decide-append.js';

/** Few ids, so that duplicates are common. */
const idOf = (n: number): EventId => EventId(`00000000-0000-4000-8000-00000000000${n}`);
const id = fc.integer({ min: 0, max: 5 }).map(idOf);

const expected: fc.Arbitrary<ExpectedRevision> = fc.oneof(
  fc.constantFrom<ExpectedRevision>({ kind: 'any' }, { kind: 'no-stream' }, { kind: 'stream-exists' }),
  fc
    .oneof(fc.bigInt(0n, 8n), fc.constantFrom(2n ** 53n, 2n ** 63n - 1n, 2n ** 64n - 1n))
    .map((revision): ExpectedRevision => ({ kind: 'exact', revision })),
);
const command = fc.record({ expected, ids: fc.array(id, { maxLength: 4 }) });

const viewOf = (
  stored: readonly EventId[],
  { hasMetadata = false, isDeleted = false, isTombstoned = false } = {},
): StreamView => ({
  last: stored.length - 1,
  isTombstoned,
  isDeleted: () => isDeleted,
  hasMetadata: () => hasMetadata,
  idAt: (revision) => stored[revision],
  revisionOf: (wanted) => {
    const found = stored.lastIndexOf(wanted);
    return found < 0 ? undefined : found;
  },
});

/** Returns the stream after `commands`, as a reader sees it. */
const run = (commands: readonly { expected: ExpectedRevision; ids: readonly EventId[] }[]): EventId[] => {
  const stored: EventId[] = [];
  for (const { expected: wanted, ids } of commands)
    if (decideAppend(wanted, ids, viewOf(stored)).kind === 'write') stored.push(...ids);
  return stored;
};
const history = fc.array(command, { maxLength: 8 }).map(run);
const everyCase = (holds: (stored: EventId[], wanted: ExpectedRevision, ids: EventId[]) => void): void =>
  fc.assert(
    fc.property(history, command, (stored, { expected: wanted, ids }) => holds(stored, wanted, ids)),
    { numRuns: 2_000 },
  );

describe('decideAppend', () => {
  it("writes at an exact revision only if it is the stream's last revision", () =>
    everyCase((stored, wanted, ids) => {
      if (wanted.kind !== 'exact' && wanted.kind !== 'no-stream') return;
      const revision = wanted.kind === 'exact' ? wanted.revision : -1n;
      const { kind } = decideAppend(wanted, ids, viewOf(stored));
      expect(kind === 'write').toBe(revision === BigInt(stored.length - 1));
    }));

  it('treats an append as a duplicate only if the stored ids match in order', () =>
    everyCase((stored, wanted, ids) => {
      const decision = decideAppend(wanted, ids, viewOf(stored));
      if (decision.kind !== 'repeated') return;
      expect(ids.length).toBeGreaterThan(0);
      expect(stored[decision.last]).toBe(ids.at(-1));
      expect(ids.every((each) => stored.includes(each))).toBe(true);
      if (wanted.kind === 'exact')
        expect(stored.slice(Number(wanted.revision) + 1, decision.last + 1)).toEqual(ids);
    }));

  it('never writes an append twice if the caller repeats it with the same expected revision', () =>
    everyCase((stored, wanted, ids) => {
      if (ids.length === 0 || decideAppend(wanted, ids, viewOf(stored)).kind !== 'write') return;
      const after = [...stored, ...ids];
      const last = after.length - 1;
      if (wanted.kind === 'exact' || wanted.kind === 'no-stream' || new Set(ids).size === ids.length)
        expect(decideAppend(wanted, ids, viewOf(after))).toEqual({ kind: 'repeated', last });
    }));

  it('writes with `any` unless the stream contains the ids', () =>
    everyCase((stored, _, ids) => {
      const known = ids.map((each) => stored.includes(each));
      const { kind } = decideAppend({ kind: 'any' }, ids, viewOf(stored));
      if (known.length === 0 || !known[0]) expect(kind).toBe('write');
      else expect(kind).toBe(known.every(Boolean) ? 'repeated' : 'conflict');
    }));

  it('treats a stream with metadata as existing', () => {
    expect(decideAppend({ kind: 'stream-exists' }, [], viewOf([])).kind).toBe('conflict');
    expect(decideAppend({ kind: 'stream-exists' }, [], viewOf([], { hasMetadata: true })).kind).toBe('write');
  });

  it('rejects appends to a stream with a tombstone', () =>
    everyCase((stored, wanted, ids) =>
      expect(decideAppend(wanted, ids, viewOf(stored, { isTombstoned: true }))).toEqual({ kind: 'deleted' }),
    ));

  it('reopens a soft-deleted stream for `no-stream` and rejects `stream-exists`', () =>
    everyCase((stored, wanted, ids) => {
      const alive = decideAppend(wanted, ids, viewOf(stored));
      const { kind } = decideAppend(wanted, ids, viewOf(stored, { isDeleted: true, hasMetadata: true }));
      if (wanted.kind === 'stream-exists') expect(kind).toBe('deleted');
      else if (wanted.kind === 'no-stream' && ids.length > 0 && ids[0] !== stored[0])
        expect(kind).toBe('write');
      else expect(kind).toBe(alive.kind);
    }));
});
