import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Block } from '@app/domain';
import { isJsonObject, type Json } from '@app/kernel';
import { openTranscript, type TranscriptCompaction, type TranscriptMessage } from './index.js';

const folder = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts');
const READ = ['claude-code', 'pi', 'codex', 'opencode', 'anthropic-messages', 'openai-messages'];

type Recorded = {
  readonly file: string;
  readonly messages: number;
  readonly tool_calls: number;
  readonly tool_results: number;
  readonly thinking_blocks: number;
  readonly images: number;
  readonly compactions: number;
};
const manifest = resolve(folder, 'MANIFEST.json');
const files: readonly Recorded[] = existsSync(manifest)
  ? JSON.parse(readFileSync(manifest, 'utf8')).files
  : [];
const folderOf = ({ file }: Recorded): string => file.split('/')[0] ?? '';
/** The others are held against the list where the definitions of its counts can be: recorded-agents.spec.ts. */
const known = files.filter((recorded) => READ.includes(folderOf(recorded)));
const formatOf = (recorded: Recorded): string =>
  recorded.file.endsWith('.traj') ? 'swe-agent' : folderOf(recorded);

const read = async (file: string) => {
  const bytes = createReadStream(resolve(folder, file));
  const { format, items } = await openTranscript(bytes, { name: file });
  const messages: TranscriptMessage[] = [];
  const compactions: TranscriptCompaction[] = [];
  let skippedCount = 0;
  for await (const item of items) {
    if (item.kind === 'message') messages.push(item.message);
    if (item.kind === 'compaction') compactions.push(item.compaction);
    if (item.kind === 'skipped') skippedCount += 1;
  }
  const blocks = messages.flatMap((message) => message.blocks);
  return { format, messages, compactions, skippedCount, blocks };
};
type Read = Awaited<ReturnType<typeof read>>;

/**
 * Messages as counted in MANIFEST.json: including the summary of a compaction, results inside messages with calls,
 * and request messages of compactions.
 */
const messagesAsListed = ({ format, messages, compactions }: Read): number => {
  // Queued input has no record and no id of its own.
  if (format === 'claude-code')
    return messages.filter(({ id }) => !id.startsWith('message-')).length + compactions.length;
  if (format !== 'opencode') return messages.length;
  return messages.filter(({ id }) => !id.endsWith('.results')).length + 2 * compactions.length;
};
const countOf = (blocks: readonly Block[], type: Block['type']): number =>
  blocks.filter((block) => block.type === type).length;

/** Every object in the file that `wanted` maps to a name, by that name: found without knowing the format. */
const namesIn = (file: string, wanted: (value: Readonly<Record<string, unknown>>) => unknown): string[] => {
  const text = readFileSync(resolve(folder, file), 'utf8');
  const values: Json[] = file.endsWith('.jsonl')
    ? text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [JSON.parse(text)];
  const names = new Set<string>();
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isJsonObject(value)) return;
    const name = wanted(value);
    if (typeof name === 'string') names.add(name);
    // Notes of a harness beside messages are not part of them; SWE-agent writes its calls twice.
    const { toolUseResult: _, data: __, trajectory: ___, replay_config: ____, ...inner } = value;
    Object.values(inner).forEach(visit);
  };
  values.forEach(visit);
  return [...names].sort();
};

(known.length > 0 ? describe : describe.skip)('a recorded transcript', () => {
  it.each(known.map((recorded) => [recorded.file, recorded] as const))(
    'is read completely: %s',
    async (file, recorded) => {
      const transcript = await read(file);
      const { format, messages, compactions, blocks, skippedCount } = transcript;
      expect(format).toBe(formatOf(recorded));
      expect({
        messages: messagesAsListed(transcript),
        tool_calls: countOf(blocks, 'tool_use'),
        tool_results: countOf(blocks, 'tool_result'),
        thinking_blocks: countOf(blocks, 'thinking'),
        images: countOf(blocks, 'image'),
        compactions: compactions.length,
      }).toEqual({
        messages: recorded.messages,
        tool_calls: recorded.tool_calls,
        tool_results: recorded.tool_results,
        thinking_blocks: recorded.thinking_blocks,
        images: recorded.images,
        compactions: recorded.compactions,
      });
      expect(skippedCount).toBe(0);
      expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    },
  );

  it.each(known.map(({ file }) => file))('has every call and every result: %s', async (file) => {
    const { blocks } = await read(file);
    const calls = namesIn(file, (it) => {
      if (['tool_use', 'toolCall', 'function'].includes(String(it.type))) return it.id;
      return /^(?:custom_tool|function)_call$/.test(String(it.type)) ? it.call_id : it.callID;
    });
    const results = namesIn(file, (it) => {
      if (String(it.type).endsWith('_call_output')) return it.call_id;
      if (isJsonObject(it.state)) return it.callID;
      const [listed] = Array.isArray(it.tool_call_ids) ? it.tool_call_ids : [];
      return it.tool_use_id ?? it.toolCallId ?? it.tool_call_id ?? listed;
    });
    const idsOf = (type: 'tool_use' | 'tool_result', key: 'id' | 'tool_use_id') =>
      [...new Set(blocks.flatMap((block) => (block.type === type ? [String(block[key])] : [])))].sort();
    expect(idsOf('tool_use', 'id')).toEqual(calls);
    expect(idsOf('tool_result', 'tool_use_id')).toEqual(results);
  });

  it.each(known.map(({ file }) => file))('has every call before its result: %s', async (file) => {
    const { blocks } = await read(file);
    const called = new Set<string>();
    for (const block of blocks) {
      if (block.type === 'tool_use') called.add(String(block.id));
      if (block.type === 'tool_result') expect(called).toContain(block.tool_use_id);
    }
  });
});
