import { countFixed, countMessage } from '@app/application';
import { fixedTraits, messageTraits, NO_TRAITS, sumTraits, type TextTraits } from '@app/domain';
import { openTranscript } from '@app/formats';
import { MessageId, Tokens } from '@app/kernel';
import type { TokenCounter } from '@app/ports';

/** A request of a recorded session: what is counted of its prompt, and what its provider reported. */
export type RecordedPrompt = {
  readonly session: string;
  readonly model: string;
  readonly counted: Tokens;
  readonly reported: Tokens;
  /** All of it. */
  readonly traits: TextTraits;
  /** What has come since the one before, and what was reported of it; `undefined` where the recorder has compacted between. */
  readonly news: TextTraits | undefined;
  readonly newsReported: number;
};

/** A prompt that is so much smaller than the one before was compacted by whoever recorded it. */
const COMPACTED = 0.7;

/**
 * The prompts of a transcript whose usage was reported, in their order. Counted is what the transcript holds: the system
 * prompt and the tools of most agents are not in it. After a compaction of the recorder's, counting begins anew with what
 * stands between the two requests.
 */
export const recordedPrompts = async (
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  counter: TokenCounter,
): Promise<readonly RecordedPrompt[]> => {
  const { items } = await openTranscript(bytes, { name });
  const prompts: RecordedPrompt[] = [];
  const sessions = new Map<string, { traits: TextTraits; since: TextTraits; reported: number }>();
  for await (const item of items) {
    if (item.kind === 'session') {
      const { id, system = '', tools = [] } = item.session;
      const fixedTokens = countFixed(counter, system, tools);
      const fixed = fixedTraits({ systemPrompt: system, tools, fixedTokens });
      sessions.set(id, { traits: fixed, since: NO_TRAITS, reported: 0 });
    }
    if (item.kind !== 'message') continue;
    const { sessionId, message } = item;
    const session = sessions.get(sessionId);
    if (!session) continue;
    const { usage, model = usage?.model ?? 'unknown' } = message;
    const reported = usage ? usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens : 0;
    if (reported > 0) {
      const isCompacted = reported < session.reported * COMPACTED;
      if (isCompacted) session.traits = session.since;
      const hasGrown = session.reported > 0 && !isCompacted;
      const { traits, since } = session;
      const told = { counted: Tokens(traits.tokens), reported: Tokens(reported) };
      const news = hasGrown ? since : undefined;
      const newsReported = reported - session.reported;
      prompts.push({ session: sessionId, model, traits, news, newsReported, ...told });
      session.reported = reported;
      session.since = NO_TRAITS;
    }
    const counted = countMessage(counter, { ...message, id: MessageId(message.id) });
    const more = messageTraits(counted.message, counted.tokens, counted.blockTokens);
    session.traits = sumTraits([session.traits, more]);
    session.since = sumTraits([session.since, more]);
  }
  return prompts;
};
