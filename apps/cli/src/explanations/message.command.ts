import { type MessagePart, ReadMessage } from '@app/application';
import type { StoredMessage } from '@app/contract';
import { isText, isToolResult, resultText } from '@app/domain';
import { defined, type MessageId } from '@app/kernel';
import { type Command, InvalidArgumentError } from 'commander';
import { messageId } from '../options.js';
import { sessionCommand } from '../result-command.js';

type Options = {
  readonly block?: number;
  readonly call?: string;
  readonly line?: number;
  readonly lines?: number;
  readonly byte?: number;
  readonly bytes?: number;
};

/**
 * Defines `palimpsest message SESSION MESSAGE`, which prints a message, a block or a tool result as it was appended.
 */
export const messageCommand = (): Command =>
  sessionCommand<Options, [MessageId]>(
    'message',
    'Print a message, or a part of it, as it was appended',
    {
      details: 'Compactions do not change it. --line and --byte print a part of one block.',
      json: '`session`, `id`, `revision`, `recordedAt`, `role`, `countedTokens`, `content`, `block`, `part`',
      examples: ['palimpsest message SESSION m7 --block 0 --line 100 --lines 50'],
      guide: 'recall.md',
    },
    async ({ ref, options, palimpsest }, message) => {
      const stored = await palimpsest.queries.execute(
        new ReadMessage(ref, { message, part: partIn(options) }),
      );
      return { json: stored, text: render(stored) };
    },
  )
    .argument('<message>', 'its id, as requests, summaries and `palimpsest export` name it', messageId)
    .option('--block <index>', 'only the block with this index, from 0', whole)
    .option('--call <id>', 'only the result of this tool call')
    .option('--line <number>', 'with --block or --call: first line, from 1', whole)
    .option('--lines <count>', 'number of lines; 500 by default', whole)
    .option('--byte <number>', 'with --block or --call: first byte, from 0', whole)
    .option('--bytes <count>', 'number of bytes; 65,536 by default', whole);

const partIn = ({ block, call, line, lines, byte, bytes }: Options): MessagePart => ({
  ...defined({ block, call }),
  ...(line !== undefined || lines !== undefined
    ? { range: { unit: 'lines', from: line ?? 1, count: lines ?? 500 } }
    : (byte !== undefined || bytes !== undefined) && {
        range: { unit: 'bytes', from: byte ?? 0, count: bytes ?? 65_536 },
      }),
});

const whole = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('give a whole number from 0');
  return Number(text);
};

const render = (stored: StoredMessage): string => {
  const { id, role, session, revision, countedTokens, part, content } = stored;
  const head = `${id} of ${session}, ${role}, revision ${revision}, ${countedTokens} counted tokens`;
  if (part) return `${head}\n${part.unit} from ${part.from}: ${part.count} of ${part.of}\n\n${part.text}`;
  const blocks = content.map((block) => {
    if (isText(block)) return block.text;
    return isToolResult(block)
      ? `[result of ${block.tool_use_id}]\n${resultText(block)}`
      : JSON.stringify(block);
  });
  return [head, ...blocks].join('\n\n');
};
