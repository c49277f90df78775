import { linesOf, type ReadTranscript, readTranscript } from '@app/testing';
import fc from 'fast-check';

const words = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '\n', 'é', '😀'), maxLength: 8 });
const ids = fc.constantFrom('a', 'b', 'c', 'message-2', 'ä', ' ', 'x'.repeat(300));
const blocks = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text'), text: words }),
    fc.record({ type: fc.constant('tool_use'), id: words, name: words, input: fc.dictionary(words, words) }),
    fc.record({ type: fc.constant('tool_result'), tool_use_id: words, content: words }),
    fc.jsonValue({ maxDepth: 2 }),
  ),
  { maxLength: 3 },
);
const claudeRecords = fc.record({
  type: fc.constantFrom('user', 'assistant', 'system'),
  subtype: fc.constantFrom('compact_boundary', 'other'),
  compactMetadata: fc.record({ trigger: words, preservedSegment: fc.record({ headUuid: ids }) }),
  uuid: ids,
  parentUuid: fc.option(ids),
  isCompactSummary: fc.boolean(),
  isSidechain: fc.boolean(),
  sessionId: ids,
  message: fc.record({ id: ids, role: fc.constant('x'), content: fc.oneof(words, blocks) }),
});
const piRecords = fc.record({
  type: fc.constantFrom('message', 'message', 'session', 'compaction', 'branch_summary'),
  id: ids,
  parentId: fc.option(ids),
  cwd: words,
  summary: words,
  firstKeptEntryId: ids,
  timestamp: fc.constant('2026-01-01T00:00:00Z'),
  message: fc.record({
    role: fc.constantFrom('user', 'assistant', 'toolResult', 'bashExecution'),
    content: fc.oneof(words, blocks),
    toolCallId: words,
  }),
});
const chatRecords = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
  id: ids,
  content: fc.oneof(words, blocks, fc.constant(null)),
  tool_calls: fc.array(fc.record({ id: ids, function: fc.record({ name: words, arguments: words }) }), {
    maxLength: 2,
  }),
});
const codexItems = fc.record({
  type: fc.constantFrom('message', 'reasoning', 'function_call', 'function_call_output', 'compaction', ''),
  id: ids,
  role: fc.constantFrom('user', 'assistant', 'developer'),
  content: fc.oneof(words, blocks),
  call_id: ids,
  name: words,
  arguments: words,
  output: fc.oneof(words, blocks),
});
const codexRecords = fc.oneof(
  fc.record({
    timestamp: fc.constant('2026-01-01T00:00:00Z'),
    type: fc.constantFrom('response_item', 'session_meta', 'turn_context'),
    payload: codexItems,
  }),
  fc.record({
    timestamp: fc.constant('2026-01-01T00:00:00Z'),
    type: fc.constant('compacted'),
    payload: fc.record({ message: words, replacement_history: fc.array(codexItems, { maxLength: 3 }) }),
  }),
);
const openCodeDocuments = fc.record({
  info: fc.record({ id: ids, parentID: ids, projectID: words }),
  messages: fc.array(
    fc.record({
      info: fc.record({ id: ids, role: fc.constantFrom('user', 'assistant', 'x'), summary: fc.boolean() }),
      parts: fc.array(
        fc.oneof(
          fc.record({ type: fc.constantFrom('text', 'reasoning', 'step-start', 'compaction'), text: words }),
          fc.record({
            type: fc.constant('tool'),
            callID: ids,
            tool: words,
            state: fc.record({ status: fc.constantFrom('completed', 'error', 'running'), output: words }),
          }),
          fc.jsonValue({ maxDepth: 2 }),
        ),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 6 },
  ),
});
const recordLists = fc.oneof(
  ...[claudeRecords, piRecords, codexRecords, openCodeDocuments, chatRecords].map((records) =>
    fc.array<object>(records, { minLength: 1, maxLength: 12 }),
  ),
);

const outcomeOf = (content: string | Uint8Array, chunkBytes: number): Promise<ReadTranscript | string> =>
  readTranscript(content, { chunkBytes }).catch((error: unknown) => String(error));

/** Guarantee: reading any file yields only items that can be imported. */
describe('reading a transcript', () => {
  it('is independent of chunk boundaries', () =>
    fc.assert(
      fc.asyncProperty(recordLists, fc.integer({ min: 1, max: 40 }), async (records, chunkBytes) => {
        const content = linesOf(...records);
        expect(await outcomeOf(content, chunkBytes)).toEqual(await outcomeOf(content, 100_000));
      }),
    ));

  it('yields valid and unique ids', () =>
    fc.assert(
      fc.asyncProperty(recordLists, async (records) => {
        const outcome = await outcomeOf(linesOf(...records), 100_000);
        fc.pre(typeof outcome !== 'string');
        const sessionIds = outcome.sessions.map(({ id }) => id);
        const messageIds = outcome.items.flatMap((item) =>
          item.kind === 'message' ? [`${item.sessionId} ${item.message.id}`] : [],
        );
        for (const id of sessionIds) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/);
        for (const id of messageIds) expect(id).toMatch(/^\S+ [\x21-\x7e]{1,200}$/);
        expect(new Set(sessionIds).size).toBe(sessionIds.length);
        expect(new Set(messageIds).size).toBe(messageIds.length);
      }),
    ));

  it('opens every session before its items, and after the session that it branched from', () =>
    fc.assert(
      fc.asyncProperty(recordLists, async (records) => {
        const outcome = await outcomeOf(linesOf(...records), 100_000);
        fc.pre(typeof outcome !== 'string');
        const open = new Set<string>();
        for (const item of outcome.items) {
          if (item.kind === 'session') {
            if (item.session.forkOf) expect(open).toContain(item.session.forkOf.sessionId);
            open.add(item.session.id);
          }
          if (item.kind === 'message' || item.kind === 'compaction') expect(open).toContain(item.sessionId);
        }
      }),
    ));

  it('retains only existing messages in a compaction', () =>
    fc.assert(
      fc.asyncProperty(recordLists, async (records) => {
        const outcome = await outcomeOf(linesOf(...records), 100_000);
        fc.pre(typeof outcome !== 'string');
        const ids = new Set<string>();
        for (const item of outcome.items) {
          if (item.kind === 'message') ids.add(item.message.id);
          if (item.kind === 'compaction' && item.compaction.retained.kind === 'from')
            expect(ids).toContain(item.compaction.retained.messageId);
        }
      }),
    ));

  it('drops broken lines and no others', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ isBroken: fc.boolean(), cut: fc.nat(60) }), { minLength: 3, maxLength: 20 }),
        async (lines) => {
          const recordAt = (at: number) => ({
            type: 'user',
            uuid: `u${at}`,
            parentUuid: null,
            message: { role: 'user', content: 'words' },
          });
          const content = lines
            .map(({ isBroken, cut }, at) => {
              const text = JSON.stringify(recordAt(at));
              return isBroken && at > 0 ? text.slice(0, 1 + cut) : text;
            })
            .join('\n');
          const { messages, skipped } = await readTranscript(content);
          const whole = lines.flatMap(({ isBroken }, at) => (isBroken && at > 0 ? [] : [`u${at}`]));
          expect(messages.map(({ id }) => id)).toEqual(whole);
          expect(skipped).toHaveLength(lines.length - whole.length);
        },
      ),
    ));

  it('throws only its own errors for any bytes', () =>
    fc.assert(
      fc.asyncProperty(recordLists, fc.array(fc.tuple(fc.nat(), fc.nat(255))), async (records, faults) => {
        const bytes = new TextEncoder().encode(linesOf(...records));
        for (const [at, byte] of faults) bytes[at % bytes.length] = byte;
        const outcome = await outcomeOf(bytes, 100_000);
        if (typeof outcome === 'string') expect(outcome).toMatch(/^AppError: some\.jsonl is /);
      }),
    ));
});
