import type { Block, ToolResultBlock } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { DraftMessage } from '../drafts/draft.js';
import { listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import type { TranscriptUsage } from '../transcript.js';
import { readPart } from './convert-part.js';

/** The converted message, and the number of its unknown parts. */
export type ReadMessage = {
  readonly messages: readonly DraftMessage[];
  readonly unusable: readonly number[];
};

/**
 * A message of OpenCode's: of an answer, each call of the model is a message with the results of its tools behind it.
 * OpenCode has them all in one, with the results in the calls.
 */
export const messagesOfOpenCode = (info: JsonObject, parts: readonly Json[]): ReadMessage => {
  const unusable: number[] = [];
  const steps: Step[] = [newStep()];
  for (const [at, part] of parts.entries()) {
    const read = readPart(part);
    if (!read || !isJsonObject(part)) {
      unusable.push(at);
      continue;
    }
    if (part.type === 'step-start' && hasContent(steps.at(-1))) steps.push(newStep());
    const step = steps.at(-1);
    step?.blocks.push(...read.blocks);
    if (read.result) step?.results.push(read.result);
    if (part.type === 'step-finish' && step) step.usage = usageIn(part, modelIn(info));
  }
  const messages =
    info.role === 'user' || info.role === 'system'
      ? [spokenFrom(info, info.role, steps)]
      : steps.flatMap((step, at) => answerFrom(info, step, at, steps.length));
  return { messages, unusable };
};

type Step = {
  readonly blocks: Block[];
  readonly results: ToolResultBlock[];
  usage?: TranscriptUsage | undefined;
};
const newStep = (): Step => ({ blocks: [], results: [] });
const hasContent = (step: Step | undefined): boolean => (step?.blocks.length ?? 0) > 0;

const spokenFrom = (info: JsonObject, role: 'user' | 'system', steps: readonly Step[]): DraftMessage => ({
  ...originOf(info),
  role,
  blocks: steps.flatMap(({ blocks }) => blocks),
});

const answerFrom = (info: JsonObject, step: Step, at: number, count: number): readonly DraftMessage[] => {
  const { id, ...origin } = originOf(info);
  const own = id === undefined ? undefined : at === 0 ? id : `${id}.${at + 1}`;
  const model = modelIn(info);
  // An answer that was broken off may hold no step that has ended: its bill is then that of the message.
  const usage = step.usage ?? (count === 1 ? usageIn(info, model) : undefined);
  const answer: DraftMessage = {
    ...(own !== undefined && { id: own }),
    ...origin,
    role: 'assistant',
    blocks: step.blocks,
    ...defined({ model, usage }),
  };
  if (step.results.length === 0) return [answer];
  const results = { ...(own !== undefined && { id: `${own}.results` }), ...origin };
  return [answer, { ...results, role: 'user', blocks: step.results }];
};

const originOf = (info: JsonObject) => {
  const id = stringIn(info, 'id');
  const createdAt = timeFrom(objectIn(info, 'time')?.created);
  return defined({ id, createdAt });
};

/** An answer names its model; a user message names the requested one. */
export const modelIn = (info: JsonObject): string | undefined =>
  modelNameIn(info, 'modelID') ?? modelNameIn(objectIn(info, 'model') ?? {}, 'modelID');

/**
 * Returns the usage of a step or message; `undefined` if nothing was billed. Reasoning is output, and may be separate
 * in the total.
 */
export const usageIn = ({ tokens }: JsonObject, model: string | undefined): TranscriptUsage | undefined => {
  if (!isJsonObject(tokens)) return undefined;
  const cache = objectIn(tokens, 'cache') ?? {};
  const [input, output, reasoning] = [tokens.input, tokens.output, tokens.reasoning].map(countFrom);
  const [read, written] = [cache.read, cache.write].map(countFrom);
  const [i, o, r, c, w] = [input ?? 0, output ?? 0, reasoning ?? 0, read ?? 0, written ?? 0];
  if (i + o + r + c + w === 0) return undefined;
  const isApart = countFrom(tokens.total) >= i + o + r + c + w;
  return {
    ...(model !== undefined && { model }),
    inputTokens: i,
    cacheReadTokens: c,
    cacheWriteTokens: w,
    outputTokens: isApart ? o + r : o,
  };
};

const countFrom = (value: Json | undefined): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;

export const partsIn = (message: JsonObject): readonly Json[] => listIn(message, 'parts') ?? [];
