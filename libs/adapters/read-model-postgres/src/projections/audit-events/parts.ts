import { createHash } from 'node:crypto';
import type {
  Block,
  Calibration,
  Cost,
  DroppedOutput,
  EventData,
  Fidelity,
  Profile,
  SessionDescription,
  SkipReason,
  TurnRetention,
  Usage,
} from '@app/domain';
import type { Json, JsonObject } from '@app/kernel';

/** Names of members that JSON can hold. */
type JsonName<Data> = {
  [Name in keyof Data]-?: Data[Name] extends Json | undefined ? Name : never;
}[keyof Data];

/** Returns the named members of `data`; members that are not named stay out, known or not. */
export const visibleMembers = <Data extends object>(
  data: Data,
  ...names: readonly NoInfer<JsonName<Data>>[]
): JsonObject => {
  const visible: { [name: PropertyKey]: Json | undefined } = {};
  // JsonName has chosen these members.
  for (const name of names) if (Object.hasOwn(data, name)) visible[name] = data[name] as Json | undefined;
  return visible;
};

/** The names of the visible members, or a function where a member is not shown as it is. */
export type Visible<Data> = readonly JsonName<Data>[] | ((data: Data) => JsonObject);

export const visibleIn = <Data extends object>(data: Data, visible: Visible<Data>): JsonObject =>
  typeof visible === 'function' ? visible(data) : visibleMembers(data, ...visible);

/** Returns the length of a text in UTF-16 units, and its SHA-256 over UTF-8 in hex. */
export const traceOf = (text: string): JsonObject => ({
  length: text.length,
  sha256: createHash('sha256').update(text).digest('hex'),
});

/** Returns facts about a description, which may be deleted later: traces of its texts, and the number of labels. */
export const descriptionOf = ({ title, project, labels }: SessionDescription): JsonObject => ({
  ...(title !== undefined && { title: traceOf(title) }),
  ...(project !== undefined && { project: traceOf(project) }),
  labels: Object.keys(labels).length,
});

const BLOCK_TYPES: ReadonlySet<string> = new Set([
  'text',
  'image',
  'document',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
]);
/** Returns the number of blocks by type; unknown types are counted together, because their names are content. */
export const blockCounts = (blocks: readonly Block[]): JsonObject =>
  counts(blocks.map(({ type }) => (BLOCK_TYPES.has(type) ? type : 'other')));

const CALIBRATION = [
  ...(['model', 'perThousand', 'weights', 'overhead', 'samples'] as const),
  ...(['counted', 'reported', 'errorPerThousand'] as const),
];
/** Returns a calibration without its sums. */
export const calibrationOf = (calibration: Calibration | undefined): JsonObject | undefined =>
  calibration && visibleMembers(calibration, ...CALIBRATION);

export const profileOf = (profile: Profile): JsonObject => visibleMembers(profile, 'name', 'mode', 'stages');

export const digestOf = (text: { readonly digest: string } | undefined): JsonObject | undefined =>
  text && { digest: text.digest };

/** Returns usage and cost of an event, as far as it has them. */
export const paid = ({ usage, cost }: { readonly usage?: Usage; readonly cost?: Cost }): JsonObject => ({
  usage: usageOf(usage),
  cost: costOf(cost),
});

const usageOf = (usage: Usage | undefined): JsonObject | undefined =>
  usage &&
  visibleMembers(
    usage,
    'inputTokens',
    'cacheReadTokens',
    'cacheWriteTokens',
    'cacheWrite1hTokens',
    'outputTokens',
  );

/** With the prices that it was computed by, so that an auditor can compute it again. */
const costOf = (cost: Cost | undefined): JsonObject | undefined =>
  cost && {
    nanoUsd: cost.nanoUsd,
    prices: cost.prices.map((price) => visibleMembers(price, 'model', 'rates', 'source', 'asOf')),
    unpriced: cost.unpriced?.map((one) => visibleMembers(one, 'model', 'reason', 'tokens')),
  };

/** Names of losses are content; their number and their messages are not. */
export const fidelityOf = (fidelity: Fidelity | undefined): JsonObject | undefined =>
  fidelity && {
    ...visibleMembers(fidelity, 'score', 'keys', 'missingKeys', 'kinds'),
    missing: [...new Set(fidelity.missing.map(({ messageId }) => messageId))],
    directives: visibleMembers(fidelity.directives, 'kept', 'of', 'missing'),
  };

export const droppedOf = (outputs: readonly DroppedOutput[]): JsonObject => ({
  calls: outputs.length,
  freed: freedIn(outputs),
});
export const freedIn = (all: readonly { readonly freed: number }[]): number =>
  all.reduce((sum, { freed }) => sum + freed, 0);

/** Returns the number of turns per rule; the turns themselves are in `compaction_turns`. */
export const ruleCounts = (retention: readonly TurnRetention[]): JsonObject =>
  counts(retention.map(({ rule }) => rule));

export const editsOf = (data: EventData<'ProviderContextEdited'>): JsonObject => ({
  ...visibleMembers(
    data,
    'turn',
    'responseId',
    'clearedToolUses',
    'clearedThinkingTurns',
    'clearedInputTokens',
  ),
  compaction: data.compaction && paid(data.compaction),
  reasoningClearedIn: data.reasoningClearedIn,
});

export const skipReasonOf = (reason: SkipReason): JsonObject => {
  switch (reason.rule) {
    case 'nothing-to-drop':
      return visibleMembers(reason, 'rule', 'messages', 'counted', 'occupancy');
    case 'floor-too-high':
      return visibleMembers(reason, 'rule', 'countedFloor', 'countedBudget', 'parts');
    case 'no-gain':
      return visibleMembers(reason, 'rule', 'countedBefore', 'countedAfter', 'countedLimit');
    case 'protection-strict':
      return visibleMembers(reason, 'rule', 'countedProtected', 'countedTarget');
  }
};

const counts = (names: readonly string[]): JsonObject => {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return Object.fromEntries(found);
};
