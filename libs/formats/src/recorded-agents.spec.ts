import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openTranscript, type TranscriptItem, type TranscriptSession } from './index.js';

const folder = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts');
const manifest = resolve(folder, 'MANIFEST.json');

type Recorded = Readonly<
  Record<'messages' | 'tool_calls' | 'tool_results' | 'thinking_blocks' | 'images', number>
> & {
  readonly file: string;
  readonly sessions: number;
  readonly signed_thinking_blocks: number;
};
const recordedFiles: readonly Recorded[] = existsSync(manifest)
  ? JSON.parse(readFileSync(manifest, 'utf8')).files
  : [];

/**
 * Differences from the listed counts, which have one per record: the system prompt belongs to the session, internal
 * and display records are not messages, and results are separate messages.
 */
const OTHERWISE: Readonly<Record<string, (listed: number) => number>> = {
  'gemini-cli/session-bridge-icon.json': (listed) => listed - 1 + 7,
  'copilot-cli/agentv-hook-recovery.jsonl': (listed) => listed - 1,
  'openhands/multi-swe-bench-output.jsonl': (listed) => listed - 3 - 3,
};
const files = recordedFiles.filter(({ file }) => file in OTHERWISE);

const read = async (file: string) => {
  const { format, items } = await openTranscript(createReadStream(resolve(folder, file)), { name: file });
  const all: TranscriptItem[] = [];
  for await (const item of items) all.push(item);
  const messages = all.flatMap((item) => (item.kind === 'message' ? [item] : []));
  const sessions = all.flatMap((item): TranscriptSession[] =>
    item.kind === 'session' ? [item.session] : [],
  );
  const skipped = all.filter(({ kind }) => kind === 'skipped');
  return { format, sessions, messages, skipped, blocks: messages.flatMap(({ message }) => message.blocks) };
};

(files.length > 0 ? describe : describe.skip)('a recorded session of an agent', () => {
  it.each(files.map((recorded) => [recorded.file, recorded] as const))(
    'is read completely: %s',
    async (file, recorded) => {
      const { format, sessions, messages, skipped, blocks } = await read(file);
      const count = (type: string) => blocks.filter((block) => block.type === type).length;
      expect(file).toContain(format);
      expect(skipped).toEqual([]);
      expect({
        sessions: sessions.length,
        messages: messages.length,
        tool_calls: count('tool_use'),
        tool_results: count('tool_result'),
        thinking_blocks: count('thinking'),
        signed: blocks.filter(({ type, signature }) => type === 'thinking' && signature !== undefined).length,
      }).toEqual({
        sessions: recorded.sessions,
        messages: OTHERWISE[file]?.(recorded.messages),
        tool_calls: recorded.tool_calls,
        tool_results: recorded.tool_results,
        thinking_blocks: recorded.thinking_blocks,
        signed: recorded.signed_thinking_blocks,
      });
    },
  );

  it.each(files.map(({ file }) => file))(
    'has calls before their results, times and models: %s',
    async (file) => {
      const { sessions, messages } = await read(file);
      for (const { id, model } of sessions) {
        expect(model).toBeDefined();
        const called = new Set<unknown>();
        const own = messages.filter(({ sessionId }) => sessionId === id);
        for (const { message } of own) {
          expect(message.createdAt).toBeDefined();
          for (const block of message.blocks) {
            if (block.type === 'tool_use') called.add(block.id);
            if (block.type === 'tool_result') expect(called).toContain(block.tool_use_id);
          }
        }
        expect(new Set(own.map(({ message }) => message.id)).size).toBe(own.length);
        expect(own.some(({ message }) => message.usage !== undefined)).toBe(true);
      }
    },
  );
});
