import { type Block, isReasoning, isText, isToolUse } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import type { CallLedger } from '../drafts/call-ledger.js';
import { asText, isShallow } from '../drafts/content-blocks.js';
import type { DraftMessage } from '../drafts/draft.js';
import { asInserted } from '../drafts/inserted.js';
import { countFrom, listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import type { TranscriptUsage } from '../transcript.js';
import type { AnsweredCalls } from './answered-calls.js';
import { callBlock, partBlocks, resultBlock } from './convert-part.js';

/** Messages of Gemini CLI to its user, which no model receives. */
const NOTES = new Set(['info', 'error', 'warning']);
export const isNote = ({ type }: JsonObject): boolean => NOTES.has(String(type));

/**
 * Returns the messages of a record: its text, and, after calls, a user message with their results. `undefined` for an
 * unusable record.
 */
export const messagesOfGemini = (
  record: JsonObject,
  calls: AnsweredCalls,
): readonly DraftMessage[] | undefined => {
  if ((record.type !== 'user' && record.type !== 'gemini') || !isShallow(record)) return undefined;
  const made = (listIn(record, 'toolCalls') ?? []).filter(isJsonObject);
  if (record.type === 'user' && isAnswered(record.content, calls)) return [];
  const said = partBlocks(withIds(record.content, made), calls);
  const createdAt = timeFrom(record.timestamp);
  const id = stringIn(record, 'id');
  const origin = defined({ id, createdAt });
  if (record.type === 'user')
    return said && [{ ...origin, role: 'user', blocks: asSaid(said, record, calls) }];

  if (said === undefined && made.length === 0 && !listIn(record, 'thoughts')) return undefined;
  const model = modelNameIn(record);
  const usage = usageOf(objectIn(record, 'tokens'), model);
  const answer: DraftMessage = {
    ...origin,
    role: 'assistant',
    blocks: [...(isThought(said) ? [] : thoughts(record)), ...withCalls(said ?? [], made, calls)],
    ...defined({ model, usage }),
  };
  return [answer, ...resultMessages(made, id, calls)];
};

/** If the record has the displayed user text, other texts are inserted by the agent. */
const asSaid = (
  blocks: readonly Block[],
  { displayContent }: JsonObject,
  calls: CallLedger,
): readonly Block[] => {
  const shown = (partBlocks(displayContent, calls) ?? []).filter(isText).map(({ text }) => text.trim());
  if (shown.every((text) => text === '')) return blocks;
  const isShown = (text: string): boolean =>
    shown.some((one) => one.includes(text.trim()) || text.includes(one));
  asInserted(blocks.filter((block) => isText(block) && !isShown(block.text)));
  return blocks;
};

/** Returns a content of Gemini's API as a message; `undefined` if it is invalid. */
export const messageOfContent = (content: Json, calls: CallLedger): DraftMessage | undefined => {
  if (!isJsonObject(content)) return undefined;
  const blocks = partBlocks(content.parts, calls);
  return blocks && { role: content.role === 'model' ? 'assistant' : 'user', blocks };
};

/** A rewritten history has thoughts and calls among the parts. */
const isThought = (said: readonly Block[] | undefined): boolean =>
  said?.some((block) => isReasoning(block) && block.type === 'thinking' && block.thinking !== '') === true;

/** Returns calls among the parts with their original ids; existing ids are kept. */
const withIds = (content: Json | undefined, made: readonly JsonObject[]): Json | undefined => {
  if (made.length === 0 || !Array.isArray(content)) return content;
  const parts: readonly Json[] = content;
  const waiting = [...made];
  return parts.map((part) => {
    const call = isJsonObject(part) ? objectIn(part, 'functionCall') : undefined;
    if (!isJsonObject(part) || call === undefined) return part;
    const id = stringIn(call, 'id');
    const at = waiting.findIndex((one) => (id === undefined ? one.name === call.name : one.id === id));
    const [taken] = at < 0 ? [] : waiting.splice(at, 1);
    return id === undefined && taken ? { ...part, functionCall: { ...call, id: taken.id ?? null } } : part;
  });
};

/** Returns whether a record repeats results that were recorded with their calls. */
const isAnswered = (content: Json | undefined, calls: AnsweredCalls): boolean => {
  const parts: readonly Json[] = Array.isArray(content) ? content : [];
  const ids = parts.map((part) =>
    isJsonObject(part) ? stringIn(objectIn(part, 'functionResponse') ?? {}, 'id') : undefined,
  );
  return ids.length > 0 && ids.every((id) => id !== undefined && calls.isAnswered(id));
};

const thoughts = (record: JsonObject): readonly Block[] =>
  (listIn(record, 'thoughts') ?? []).filter(isJsonObject).map((thought) => ({
    type: 'thinking',
    thinking: [stringIn(thought, 'subject'), stringIn(thought, 'description')]
      .filter((part) => part !== undefined)
      .join('\n\n'),
  }));

/** Calls are recorded with their outcome, and, in some versions, among the parts as well. */
const withCalls = (
  said: readonly Block[],
  made: readonly JsonObject[],
  calls: CallLedger,
): readonly Block[] => {
  const known = new Set(said.flatMap((block) => (isToolUse(block) ? [block.id] : [])));
  const further = made
    .filter((call) => !known.has(stringIn(call, 'id') ?? ''))
    .map((call) => callBlock(call, calls) ?? asText(call));
  return [...said, ...further];
};

const resultMessages = (
  made: readonly JsonObject[],
  id: string | undefined,
  calls: CallLedger,
): readonly DraftMessage[] => {
  const answered = made.filter(({ result }) => result !== undefined && result !== null);
  if (answered.length === 0) return [];
  const createdAt = timeFrom(answered.at(-1)?.timestamp);
  return [
    {
      role: 'user',
      blocks: answered.map((call) => {
        const { result } = call;
        const callId = calls.close(stringIn(call, 'id'), stringIn(call, 'name'));
        return resultBlock(
          callId,
          Array.isArray(result) ? result : [result ?? null],
          stringIn(call, 'status'),
        );
      }),
      ...(id !== undefined && { id: `${id}.results` }),
      ...(createdAt !== undefined && { createdAt }),
    },
  ];
};

/** `input` includes cached tokens; `output` excludes thoughts, which are billed as output. */
const usageOf = (tokens: JsonObject | undefined, model: string | undefined): TranscriptUsage | undefined => {
  if (!tokens) return undefined;
  const count = (key: string): number => countFrom(ownMember(tokens, key));
  return {
    ...(model !== undefined && { model }),
    inputTokens: Math.max(0, count('input') - count('cached')),
    cacheReadTokens: count('cached'),
    cacheWriteTokens: 0,
    outputTokens: count('output') + count('thoughts'),
  };
};
