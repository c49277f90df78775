import { countFixed, countMessage } from '@app/application';
import { fixedTraits, messageTraits, NO_TRAITS, sumTraits, type TextTraits } from '@app/domain';
import { openTranscript } from '@app/formats';
import { MessageId, Tokens } from '@app/kernel';
import type { TokenCounter } from '@app/ports';

/** A request of a recorded session: the local count of its prompt, and the provider's report. */
export type RecordedPrompt = {
  readonly session: string;
  readonly model: string;
  readonly counted: Tokens;
  readonly reported: Tokens;
  /** The whole prompt. */
  readonly traits: TextTraits;
  /** The part since the previous request, and its report; `undefined` after a compaction by the recording agent. */
  readonly news: TextTraits | undefined;
  readonly newsReported: number;
};

/** A prompt below this share of the previous one was compacted by the recording agent. */
const COMPACTED = 0.7;

/**
 * Returns the prompts of a transcript with reported usage, in order. The count covers the transcript's content: it
 * lacks the system prompt and tools of most agents. After a compaction by the recording agent it starts over with the
 * messages between the two requests.
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
