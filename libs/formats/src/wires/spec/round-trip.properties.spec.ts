import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '@app/kernel';
import { linesOf, readTranscript } from '@app/testing';
import fc from 'fast-check';
import { openTranscript, type TranscriptMessage } from '../../index.js';
import { type WireName, wireOf } from '../index.js';

const words = fc.string({ minLength: 1, maxLength: 12 });
const ids = fc.constantFrom('c1', 'c2', 'c3');
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const input = fc.dictionary(words, json, { maxKeys: 2 });
const record = <Model>(
  model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> },
  optional: (keyof Model)[] = [],
) =>
  fc.record(model, {
    requiredKeys: Object.keys(model).filter((key) => !optional.includes(key as keyof Model)) as never,
  });
const written = fc
  .tuple(input, fc.constantFrom(0, 1))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const dataUrl = fc.constant('data:image/png;base64,QQ==');

const text = record({ type: fc.constant('text'), text: words });
const image = record({
  type: fc.constant('image'),
  source: fc.constant({ type: 'base64', media_type: 'image/png', data: 'QQ==' }),
});
const anthropic = fc.oneof(
  record({
    role: fc.constant('user'),
    content: fc.array(
      fc.oneof(
        text,
        image,
        record({ type: fc.constant('document'), source: input, title: words }, ['title']),
        record(
          {
            type: fc.constant('tool_result'),
            tool_use_id: ids,
            content: fc.oneof(words, fc.array(fc.oneof(text, image), { minLength: 1 })),
            is_error: fc.boolean(),
          },
          ['content', 'is_error'],
        ),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  record({
    role: fc.constant('assistant'),
    content: fc.array(
      fc.oneof(
        text,
        record({ type: fc.constant('thinking'), thinking: words, signature: words }),
        record({ type: fc.constant('redacted_thinking'), data: words }),
        record({ type: fc.constant('tool_use'), id: ids, name: words, input }),
        record({ type: fc.constant('server_tool_use'), id: ids, extra: json }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

const call = record({
  id: ids,
  type: fc.constant('function'),
  function: record({ name: words, arguments: fc.oneof(written, words) }),
});
const chatParts = fc.array(
  fc.oneof(
    text,
    record({
      type: fc.constant('image_url'),
      image_url: record({ url: dataUrl, detail: words }, ['detail']),
    }),
    record({ type: fc.constant('input_audio'), input_audio: input }),
  ),
  { minLength: 1, maxLength: 3 },
);
const chat = fc.oneof(
  record(
    {
      role: fc.constantFrom('system', 'developer', 'user'),
      content: fc.oneof(words, chatParts),
      name: words,
    },
    ['name'],
  ),
  record({ role: fc.constant('assistant'), content: words, reasoning_content: words, refusal: words }, [
    'reasoning_content',
    'refusal',
  ]),
  record({
    role: fc.constant('assistant'),
    content: fc.constantFrom(null, 'x'),
    tool_calls: fc.array(call, { minLength: 1, maxLength: 2 }),
  }),
  record({ role: fc.constant('tool'), tool_call_id: ids, content: fc.oneof(words, chatParts), name: words }, [
    'name',
  ]),
);

const responses = fc.oneof(
  record({
    type: fc.constant('message'),
    role: fc.constantFrom('user', 'developer'),
    content: fc.array(
      fc.oneof(
        record({ type: fc.constant('input_text'), text: words }),
        record({ type: fc.constant('input_image'), image_url: dataUrl }),
        record({ type: fc.constant('input_file'), file_data: words }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  record(
    {
      type: fc.constant('message'),
      role: fc.constant('assistant'),
      status: words,
      content: fc.array(
        record({ type: fc.constant('output_text'), text: words, annotations: fc.constant([]) }),
        { minLength: 1, maxLength: 2 },
      ),
    },
    ['status'],
  ),
  record({
    type: fc.constant('reasoning'),
    summary: fc.array(record({ type: fc.constant('summary_text'), text: words })),
    encrypted_content: words,
  }),
  record(
    {
      type: fc.constant('function_call'),
      call_id: ids,
      name: words,
      arguments: fc.oneof(written, words),
      status: words,
    },
    ['status'],
  ),
  record({
    type: fc.constant('function_call_output'),
    call_id: ids,
    output: fc.oneof(
      words,
      fc.array(record({ type: fc.constant('input_image'), image_url: dataUrl }), { minLength: 1 }),
    ),
  }),
  record({ type: fc.constant('custom_tool_call'), call_id: ids, name: words, input: words }),
  record({ type: fc.constant('compaction'), encrypted_content: words }),
);

const sessions: readonly (readonly [string, WireName, fc.Arbitrary<JsonObject>])[] = [
  ['anthropic-messages', 'anthropic', anthropic as fc.Arbitrary<JsonObject>],
  ['openai-messages', 'openai-chat', chat as fc.Arbitrary<JsonObject>],
  ['openai-responses', 'openai-responses', responses as fc.Arbitrary<JsonObject>],
];
/** The first line, which identifies the format. */
const FIRST: Readonly<Record<string, JsonObject>> = {
  'anthropic-messages': { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'y' }] },
  'openai-messages': { role: 'system', content: 'Be brief.' },
  'openai-responses': { type: 'compaction', encrypted_content: 'x' },
};

const writtenAgain = (wire: WireName, messages: readonly Pick<TranscriptMessage, 'role' | 'blocks'>[]) =>
  messages.flatMap((message) => wireOf(wire).itemsOf(message));

describe('a session in the form of a provider API', () => {
  // Holds rule 11.15.
  it.each(sessions)('is unchanged after writing and reading: %s', (format, wire, items) =>
    fc.assert(
      fc.asyncProperty(fc.array(items, { maxLength: 8 }), async (given) => {
        // A call or a result that stands twice is reported, and comes in once: that has its own spec.
        const isAgain = (item: JsonObject, at: number): boolean =>
          given
            .slice(item.call_id === undefined ? Math.max(0, at - 1) : 0, at)
            .some((other) => JSON.stringify(other) === JSON.stringify(item));
        fc.pre(!given.some(isAgain));
        const all = [FIRST[format] ?? {}, ...given];
        const read = await readTranscript(linesOf(...all), { chunkBytes: 1_000 });
        expect(read).toMatchObject({ format, skipped: [] });
        expect(writtenAgain(wire, read.messages)).toEqual(all);
      }),
    ),
  );
});

const folder = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts');
const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\/.*\.(?:jsonl?|traj)$/.test(name),
    )
  : [];

(files.length > 0 ? describe : describe.skip)('a recorded session', () => {
  it.each(files)('has the same content after writing as Anthropic messages and reading: %s', async (file) => {
    const { items } = await openTranscript(createReadStream(resolve(folder, file)), { name: file });
    const messages: TranscriptMessage[] = [];
    for await (const item of items) if (item.kind === 'message') messages.push(item.message);
    const lines = writtenAgain('anthropic', messages);
    const again = await readTranscript(JSON.stringify({ system: '', messages: lines }), {
      chunkBytes: 1_000_000,
    });
    expect(writtenAgain('anthropic', again.messages)).toEqual(lines);
  });
});
