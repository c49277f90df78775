import { randomUUID } from 'node:crypto';
import { AppError, type JsonObject, SessionId, sessionStream, TenantId } from '@app/kernel';
import { MemoryContentKeys } from '@app/testing';
import { CONTENT_RULES } from './content-rules.js';
import { partContent, withContent } from './part-content.js';
import { type EventPlace, openContent, sealContent } from './seal-content.js';

const keys = new MemoryContentKeys();
const place = (about: Partial<EventPlace> = {}): EventPlace => ({
  stream: sessionStream(TenantId('acme'), SessionId('s')),
  id: randomUUID(),
  type: 'MessageAppended',
  ...about,
});
const call = { type: 'tool_use', id: 'c', name: 'read', input: { path: 'secret' } };
const result = { type: 'tool_result', tool_use_id: 'c', content: 'secret', is_error: true };
const others = [
  { type: 'thinking', thinking: 'secret' },
  { type: 'redacted_thinking', data: 'secret' },
  { type: 'image', source: { data: 'secret' } },
  { type: 'document', source: { data: 'secret' }, title: 'secret' },
  { type: 'secret', data: 'secret' },
];
const said: JsonObject = {
  message: {
    id: 'm',
    role: 'user',
    blocks: [{ type: 'text', text: 'secret' }, call, result, ...others],
  },
  tokens: 3,
};

const codeOf = (open: Promise<unknown>) =>
  open.then(
    () => 'opened',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

describe('sealed content', () => {
  it('leaves ids, names, types of blocks and pairs in the clear, and opens to the same data', async () => {
    const at = place();
    const { sealed, ...open } = await sealContent(said, at, keys);
    expect(open).toEqual({
      contentDigest: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      message: {
        id: 'm',
        role: 'user',
        blocks: [
          { type: 'text', text: '[sealed]' },
          { type: 'tool_use', id: 'c', name: 'read', input: {} },
          { type: 'tool_result', tool_use_id: 'c', content: '[sealed]', is_error: true },
          { type: 'thinking', thinking: '[sealed]' },
          { type: 'redacted_thinking', data: '[sealed]' },
          { type: 'image', source: {} },
          { type: 'document', source: {} },
          { type: 'other' },
        ],
      },
      tokens: 3,
    });
    expect(await openContent({ ...open, sealed }, at, keys)).toEqual(said);
  });

  it('is refused in another event, changed, cut, or without its key', async () => {
    const at = place();
    const stored = await sealContent(said, at, keys);
    const written = String(stored.sealed);
    const changed = `${written.slice(0, 40)}${written[40] === 'A' ? 'B' : 'A'}${written.slice(41)}`;
    const elsewhere = { ...at, id: randomUUID() };
    expect(await codeOf(openContent(stored, elsewhere, keys))).toBe('corrupt-event');
    for (const sealed of [changed, written.slice(0, 24), written.replace('v1', 'v2'), 5])
      expect(await codeOf(openContent({ ...stored, sealed }, at, keys))).toBe('corrupt-event');
    expect(await codeOf(openContent(stored, at, new MemoryContentKeys()))).toBe('content-key-missing');
  });

  it('does not exist in events without content', async () => {
    const facts: JsonObject = { turn: 1, stopReason: 'end' };
    expect(await sealContent(facts, place({ type: 'TurnCompleted' }), keys)).toBe(facts);
    const reason: JsonObject = { reason: '' };
    expect(await sealContent(reason, place({ type: 'SessionClosed' }), keys)).toBe(reason);
  });

  it('returns removed members to their places', () => {
    const opening = { opened: { title: 't', labels: { a: 'b' }, tools: [{ name: 'x', description: 'd' }] } };
    const data: JsonObject = { summary: null, fileOperations: { read: ['a'], modified: [] }, opening };
    const parted = partContent(data, CONTENT_RULES.CompactionCompleted ?? []);
    expect(JSON.stringify(parted.data)).not.toContain('"t"');
    const parts = parted.content.flatMap((group) => group.parts);
    expect(withContent(parted.data, parts)).toEqual(data);
    expect(withContent({}, parts)).toBeUndefined();
  });
});
