import { type Block, blockFrom } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { defined } from '@app/kernel';
import { asText, contentBlocks, textBlocks } from '../drafts/content-blocks.js';
import type { DraftMessage } from '../drafts/draft.js';
import { asInserted } from '../drafts/inserted.js';
import { modelNameIn, objectIn, stringIn, usageFrom } from '../drafts/members.js';
import { blockOfPi } from './convert-block.js';

/** Returns a message of pi; `undefined` for an unknown role, or without usable content. */
export const messageOfPi = (message: JsonObject): DraftMessage | undefined => {
  switch (message.role) {
    case 'assistant':
      return withBlocks('assistant', contentBlocks(message.content ?? [], blockOfPi), callOf(message));
    case 'toolResult':
      return withBlocks('user', resultBlocks(message));
    case 'bashExecution':
      return withBlocks('user', asInserted(textBlocks(commandText(message))));
    case 'branchSummary':
    case 'compactionSummary':
      return summaryOfPi(message);
    case 'system':
      return withBlocks('system', contentBlocks(message.content, blockOfPi));
    case 'user':
      return withBlocks('user', contentBlocks(message.content, blockOfPi));
    case 'custom':
    case 'hookMessage':
      return withBlocks('user', inserted(contentBlocks(message.content, blockOfPi)));
    default:
      return undefined;
  }
};

/** Returns the summary of messages that pi no longer sends, as a user message. */
export const summaryOfPi = (record: JsonObject): DraftMessage | undefined =>
  withBlocks('user', inserted(contentBlocks(record.summary)));

const inserted = (blocks: readonly Block[] | undefined): readonly Block[] | undefined =>
  blocks && asInserted(blocks);

const withBlocks = (
  role: DraftMessage['role'],
  blocks: readonly Block[] | undefined,
  more: Partial<DraftMessage> = {},
): DraftMessage | undefined => blocks && { role, blocks, ...more };

const callOf = (message: JsonObject): Partial<DraftMessage> => {
  const model = modelNameIn(message);
  const usage = usageFrom(objectIn(message, 'usage'), PI_USAGE, model);
  return defined({ model, usage });
};
/** Names of pi's usage fields. */
export const PI_USAGE = {
  input: 'input',
  cacheRead: 'cacheRead',
  cacheWrite: 'cacheWrite',
  output: 'output',
};

const resultBlocks = (message: JsonObject): readonly Block[] | undefined => {
  const { content } = message;
  const parts = contentBlocks(content, blockOfPi);
  if (parts === undefined) return undefined;
  const result = blockFrom({
    type: 'tool_result',
    tool_use_id: message.toolCallId,
    content: typeof content === 'string' ? content : parts,
    ...(typeof message.isError === 'boolean' && { is_error: message.isError }),
  });
  return [result ?? asText(message)];
};

/** A command that the user ran beside the agent, as a terminal would show it. */
const commandText = (message: JsonObject): string =>
  [
    `$ ${stringIn(message, 'command') ?? ''}`,
    stringIn(message, 'output'),
    message.cancelled === true ? '(cancelled)' : undefined,
    typeof message.exitCode === 'number' && message.exitCode !== 0
      ? `(exit code ${message.exitCode})`
      : undefined,
    message.truncated === true ? '(output truncated)' : undefined,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
