import { countFixed, countMessage } from '@app/application';
import { openTranscript } from '@app/formats';
import { MessageId, Tokens } from '@app/kernel';
import type { TokenCounter } from '@app/ports';

/** A request of a recorded session: what is counted of its prompt, and what its provider reported. */
export type RecordedPrompt = {
  readonly session: string;
  readonly model: string;
  readonly counted: Tokens;
  readonly reported: Tokens;
  /** Whether it has grown out of the one before: the recorder has not compacted between. */
  readonly hasGrown: boolean;
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
  const sessions = new Map<string, { counted: number; since: number; reported: number }>();
  for await (const item of items) {
    if (item.kind === 'session') {
      const { id, system = '', tools = [] } = item.session;
      sessions.set(id, { counted: countFixed(counter, system, tools), since: 0, reported: 0 });
    }
    if (item.kind !== 'message') continue;
    const { sessionId, message } = item;
    const session = sessions.get(sessionId);
    if (!session) continue;
    const { usage, model = usage?.model ?? 'unknown' } = message;
    const reported = usage ? usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens : 0;
    if (reported > 0) {
      const isCompacted = reported < session.reported * COMPACTED;
      if (isCompacted) session.counted = session.since;
      const hasGrown = session.reported > 0 && !isCompacted;
      const sizes = { counted: Tokens(session.counted), reported: Tokens(reported) };
      prompts.push({ session: sessionId, model, ...sizes, hasGrown });
      session.reported = reported;
      session.since = 0;
    }
    const { tokens } = countMessage(counter, { ...message, id: MessageId(message.id) });
    session.counted += tokens;
    session.since += tokens;
  }
  return prompts;
};
