import { createHash } from 'node:crypto';
import type {
  AttemptError,
  Block,
  Calibration,
  ContributionSize,
  Cost,
  Cut,
  DroppedOutput,
  Fidelity,
  Profile,
  ProviderContextEdited,
  SessionDescription,
  SkipReason,
  SummarizerIdentity,
  TurnRetention,
  Usage,
} from '@app/domain';
import type { JsonObject } from '@app/kernel';

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

/** Returns a calibration without its sums. */
export const calibrationOf = (calibration: Calibration | undefined): JsonObject | undefined =>
  calibration && {
    model: calibration.model,
    perThousand: calibration.perThousand,
    weights: { ...calibration.weights },
    overhead: calibration.overhead,
    samples: calibration.samples,
    counted: calibration.counted,
    reported: calibration.reported,
    errorPerThousand: calibration.errorPerThousand,
  };

export const contributionsOf = (
  contributions: readonly ContributionSize[] | undefined,
): readonly JsonObject[] | undefined => contributions?.map(({ name, tokens }) => ({ name, tokens }));

export const profileOf = ({ name, mode, stages }: Profile): JsonObject => ({
  name,
  mode,
  stages: [...stages],
});

export const usageOf = (usage: Usage | undefined): JsonObject | undefined =>
  usage && {
    inputTokens: usage.inputTokens,
    cacheReadTokens: usage.cacheReadTokens,
    cacheWriteTokens: usage.cacheWriteTokens,
    cacheWrite1hTokens: usage.cacheWrite1hTokens,
    outputTokens: usage.outputTokens,
  };

/** With the prices that it was computed by, so that an auditor can compute it again. */
export const costOf = (cost: Cost | undefined): JsonObject | undefined =>
  cost && {
    nanoUsd: cost.nanoUsd,
    prices: cost.prices.map(({ model, rates, source, asOf }) => ({
      model,
      rates: { ...rates },
      source,
      asOf,
    })),
    unpriced: cost.unpriced?.map(({ model, reason, tokens }) => ({ model, reason, tokens })),
  };

/** Names of losses are content; their number and their messages are not. */
export const fidelityOf = (fidelity: Fidelity | undefined): JsonObject | undefined =>
  fidelity && {
    score: fidelity.score,
    keys: fidelity.keys,
    missing: [...new Set(fidelity.missing.map(({ messageId }) => messageId))],
    missingKeys: fidelity.missingKeys,
    kinds: fidelity.kinds && keptOf(fidelity.kinds),
    directives: {
      kept: fidelity.directives.kept,
      of: fidelity.directives.of,
      missing: fidelity.directives.missing && [...fidelity.directives.missing],
    },
  };

const keptOf = ({ identifiers, paths, errors, numbers }: NonNullable<Fidelity['kinds']>): JsonObject => ({
  identifiers: { kept: identifiers.kept, of: identifiers.of },
  paths: { kept: paths.kept, of: paths.of },
  errors: { kept: errors.kept, of: errors.of },
  numbers: { kept: numbers.kept, of: numbers.of },
});

export const summarizerOf = ({
  name,
  model,
  promptVersion,
  deterministic,
}: SummarizerIdentity): JsonObject => ({ name, model, promptVersion, deterministic });
export const cutOf = ({ messageId, revision }: Cut): JsonObject => ({ messageId, revision });
export const errorOf = ({ rule, detail, permanent }: AttemptError): JsonObject => ({
  rule,
  detail,
  permanent,
});

export const droppedOf = (outputs: readonly DroppedOutput[]): JsonObject => ({
  calls: outputs.length,
  freed: freedIn(outputs),
});
export const freedIn = (all: readonly { readonly freed: number }[]): number =>
  all.reduce((sum, { freed }) => sum + freed, 0);

/** Returns the number of turns per rule; the turns themselves are in `compaction_turns`. */
export const ruleCounts = (retention: readonly TurnRetention[]): JsonObject =>
  counts(retention.map(({ rule }) => rule));

export const editsOf = (data: ProviderContextEdited['data']): JsonObject => ({
  turn: data.turn,
  responseId: data.responseId,
  clearedToolUses: data.clearedToolUses,
  clearedThinkingTurns: data.clearedThinkingTurns,
  clearedInputTokens: data.clearedInputTokens,
  compaction: data.compaction && {
    usage: usageOf(data.compaction.usage),
    cost: costOf(data.compaction.cost),
  },
  reasoningClearedIn: [...data.reasoningClearedIn],
});

export const skipReasonOf = (reason: SkipReason): JsonObject => {
  switch (reason.rule) {
    case 'nothing-to-drop': {
      const { rule, messages, counted, occupancy } = reason;
      return { rule, messages, counted, occupancy };
    }
    case 'floor-too-high': {
      const parts = reason.parts.map(({ part, tokens }) => ({ part, tokens }));
      const { rule, countedFloor, countedBudget } = reason;
      return { rule, countedFloor, countedBudget, parts };
    }
    case 'no-gain': {
      const { rule, countedBefore, countedAfter, countedLimit } = reason;
      return { rule, countedBefore, countedAfter, countedLimit };
    }
    case 'protection-strict': {
      const { rule, countedProtected, countedTarget } = reason;
      return { rule, countedProtected, countedTarget };
    }
  }
};

const counts = (names: readonly string[]): JsonObject => {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return Object.fromEntries(found);
};
