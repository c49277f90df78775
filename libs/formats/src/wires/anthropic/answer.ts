import type { Usage } from '@app/domain';
import { isJsonObject, type JsonObject, Tokens } from '@app/kernel';
import { contentBlocks } from '../../drafts/content-blocks.js';
import { ANTHROPIC_USAGE, listIn, modelNameIn, objectIn, stringIn, usageFrom } from '../../drafts/members.js';
import { essenceOf } from '../essence.js';
import type { WireAnswer } from '../wire.js';
import { providerEditsFrom } from './provider-edits.js';

/** A message as `POST /v1/messages` answers it. */
export const anthropicAnswer = (body: JsonObject): WireAnswer | undefined => {
  const blocks = body.type === 'message' ? contentBlocks(body.content) : undefined;
  if (!blocks) return undefined;
  const essence = essenceOf('assistant', blocks);
  const stopReason = stringIn(body, 'stop_reason') ?? 'unknown';
  return {
    id: stringIn(body, 'id'),
    model: modelNameIn(body),
    blocks,
    essences: essence === undefined ? [] : [essence],
    usage: usageOf(objectIn(body, 'usage')),
    stopReason,
    endsTurn: ENDS.has(stopReason),
    edits: providerEditsFrom(body)?.edits,
    named: [],
  };
};

const ENDS = new Set(['end_turn', 'stop_sequence', 'refusal', 'max_tokens']);

/** Returns the usage of the pass that answered: with several passes, the sums at the top are not the size of any. */
const usageOf = (usage: JsonObject | undefined): Usage | undefined => {
  const passes = (listIn(usage ?? {}, 'iterations') ?? []).filter(isJsonObject);
  const pass = passes.findLast(({ type }) => type === 'message') ?? usage;
  const counted = usageFrom(pass, ANTHROPIC_USAGE, undefined);
  return (
    counted && {
      inputTokens: Tokens(counted.inputTokens),
      cacheReadTokens: Tokens(counted.cacheReadTokens),
      cacheWriteTokens: Tokens(counted.cacheWriteTokens),
      outputTokens: Tokens(counted.outputTokens),
    }
  );
};
