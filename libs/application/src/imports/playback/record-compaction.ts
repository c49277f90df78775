import { createHash } from 'node:crypto';
import {
  type CommandOf,
  costOf,
  frameSummary,
  type ImportedCompaction,
  type Message,
  UNKNOWN_MODEL,
} from '@app/domain';
import type { TranscriptCompaction, TranscriptFormat } from '@app/formats';
import { CompactionId, MessageId, Tokens } from '@app/kernel';
import type { Clock, ModelRegistry, TokenCounter } from '@app/ports';
import { appendBatches, appendOf } from '../../commands/append-messages.js';

import { countedAhead, counterForMessages } from '../../sessions/count-message.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Step } from './step.js';
import { EVENT_WEIGHT } from './step-queue.js';
import { usageOf } from './usage-of.js';

type Data = CommandOf<'RecordCompaction'>['data'];

/** A compaction of a transcript with its ID in the session. */
type TakenOver = {
  readonly compactionId: CompactionId;
  readonly format: TranscriptFormat;
  readonly recorded: TranscriptCompaction;
};
type Parts = { readonly counter: TokenCounter; readonly models: ModelRegistry; readonly clock: Clock };

/** Returns an ID that is derived from the transcript's compaction, so that every import uses the same one. */
export const compactionIdOf = (
  { session }: SessionRef,
  { id }: Pick<TranscriptCompaction, 'id'>,
): CompactionId =>
  CompactionId(`imp_${createHash('sha256').update(`${session} ${id}`).digest('hex').slice(0, 24)}`);

/** Returns the steps that record a compaction of the agent, and the messages that it has kept. */
export const compactionSteps = async (
  ref: SessionRef,
  { compactionId, format, recorded }: TakenOver,
  parts: Parts,
): Promise<readonly Step[]> => {
  const restated = restatedIn(recorded, compactionId);
  const [first] = restated;
  const { retained } = recorded;
  const retainedFrom = retained.kind === 'from' ? MessageId(retained.messageId) : first?.id;
  const data: Data = {
    sessionId: ref.session,
    compactionId,
    ...(retainedFrom && { retainedFrom }),
    ...(await summaryIn(recorded, compactionId, ref, parts.counter)),
    summarizer: {
      name: format,
      ...(recorded.model !== undefined && { model: recorded.model }),
      promptVersion: recorded.agentVersion ?? 'unknown',
      deterministic: false,
    },
    ...nativeIn(recorded),
    ...(await billIn(recorded, ref, parts)),
    durationMs: recorded.durationMs ?? 0,
    imported: importedFrom(recorded, format),
  };
  const counter = await counterForMessages(parts.counter, ref.tenant, restated);
  const appends = appendBatches(restated).map((batch) => ({
    commands: [appendOf(ref, batch, counter)],
    weight: weightOf(batch) + batch.length * EVENT_WEIGHT,
  }));
  const last = appends.pop();
  const own = weightOf({ ...recorded, retained: undefined }) + EVENTS * EVENT_WEIGHT;
  const commands: Step['commands'] = [...(last?.commands ?? []), { type: 'RecordCompaction', data }];
  return [...appends, { commands, weight: own + (last?.weight ?? 0) }];
};
/** Weight of a compaction's events, in units of usual events. */
const EVENTS = 8;
const weightOf = (recorded: object): number => Buffer.byteLength(JSON.stringify(recorded));

const summaryIn = async (
  { summary }: TranscriptCompaction,
  compactionId: CompactionId,
  { tenant }: SessionRef,
  counter: TokenCounter,
): Promise<Pick<Data, 'summary'>> => {
  if (summary === undefined) return { summary: null };
  const framed = frameSummary(summary, compactionId);
  const counted = await countedAhead(counter, tenant, (listener) => listener.count(framed));
  const framedTokens = Tokens(counted.count(framed));
  return { summary: { text: summary, framedTokens } };
};

/** Unknown usage and unknown prices remain unknown. */
const billIn = async (
  { usage, model, createdAt }: TranscriptCompaction,
  { tenant }: SessionRef,
  { models, clock }: Parts,
): Promise<Pick<Data, 'usage' | 'cost'>> => {
  if (!usage) return {};
  const paid = usageOf(usage);
  const catalog = await models.catalogFor(tenant);
  const by = usage.model ?? model ?? UNKNOWN_MODEL;
  return { usage: paid, cost: costOf(catalog, by, paid, createdAt ?? clock.now()) };
};

const restatedIn = (
  { retained, createdAt }: TranscriptCompaction,
  compactionId: CompactionId,
): readonly Message[] =>
  retained.kind !== 'listed'
    ? []
    : retained.messages.map(({ role, blocks }, at) => ({
        id: MessageId(`restated-${compactionId}-${at + 1}`),
        role,
        blocks,
        ...(createdAt !== undefined && { createdAt }),
        synthetic: 'restated',
      }));

const nativeIn = ({ opaque, model }: TranscriptCompaction): Pick<Data, 'native'> =>
  opaque ? { native: { ...opaque, model: model ?? UNKNOWN_MODEL } } : {};

const importedFrom = (
  { trigger, createdAt, tokensBefore, tokensAfter }: TranscriptCompaction,
  format: TranscriptFormat,
): ImportedCompaction => ({
  format,
  ...(trigger && { trigger }),
  ...(createdAt !== undefined && { at: createdAt }),
  ...(tokensBefore !== undefined && { tokensBefore: Tokens(tokensBefore) }),
  ...(tokensAfter !== undefined && { tokensAfter: Tokens(tokensAfter) }),
});
