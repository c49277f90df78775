import Anthropic from '@anthropic-ai/sdk';
import type { BetaMessage, MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/beta/messages';
import type { Usage } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { clientFault, type RepeatedRequest, SummarizerError } from '@app/ports';
import { addedUp, usageOf } from './usage-of.js';

const BETA = 'compact-2026-09-04';

type Native = { readonly items: readonly JsonObject[]; readonly usage?: Usage };

/**
 * Requests Anthropic's compaction: one signed block, unchanged. An empty block is a failure that was billed.
 *
 * @throws {SummarizerError}; the reason of `signal`.
 */
export const compactNatively = async (
  client: Anthropic,
  parent: RepeatedRequest,
  sized: { readonly model: string; readonly max_tokens: number },
  signal: AbortSignal,
): Promise<Native> => {
  const body: Omit<MessageCreateParamsNonStreaming, 'model' | 'max_tokens'> = JSON.parse(
    JSON.stringify(parent),
  );
  try {
    const answer = await client.beta.messages.create(
      { ...body, ...sized, stream: false, compaction: { type: 'summarize' }, betas: [BETA] },
      { signal },
    );
    return nativeIn(answer);
  } catch (error) {
    signal.throwIfAborted();
    throw clientFault(error, undefined, Anthropic);
  }
};

const nativeIn = ({ content, stop_reason: reason, usage }: BetaMessage): Native => {
  const passes = (usage.iterations ?? []).filter(({ type }) => type === 'compaction');
  const billed = addedUp([usage, ...passes].map((pass) => usageOf(pass, undefined)));
  const items: readonly JsonObject[] = JSON.parse(JSON.stringify(content));
  if (reason === 'compaction' && items.some(({ type }) => type === 'compaction'))
    return { items, usage: billed };
  throw new SummarizerError('unavailable', { about: `ended_with_${reason ?? 'nothing'}`, usage: billed });
};
