import type { Source } from '../../../streams/reads/read-plan.js';
import { clampedNumber } from '../../../wire/values.js';
import type { GroupSettings } from '../../definition/group-definition.js';
import { groupFailed } from '../../failures.js';
import { STRATEGY_NAMES, type StrategyName } from '../../strategies/strategy-of.js';

/** The settings of a request; Create and Update have the same shape. */
export type SettingsMessage = {
  getRevision(): string;
  getResolveLinks(): boolean;
  getExtraStatistics(): boolean;
  getMaxRetryCount(): number;
  getMinCheckpointCount(): number;
  getMaxCheckpointCount(): number;
  getMaxSubscriberCount(): number;
  getLiveBufferSize(): number;
  getReadBatchSize(): number;
  getHistoryBufferSize(): number;
  getNamedConsumerStrategy(): number;
  /** Only Create has it; it precedes the older field. */
  getConsumerStrategy?(): string;
  hasMessageTimeoutTicks(): boolean;
  getMessageTimeoutTicks(): string;
  getMessageTimeoutMs(): number;
  hasCheckpointAfterTicks(): boolean;
  getCheckpointAfterTicks(): string;
  getCheckpointAfterMs(): number;
};

const TICKS_PER_MS = 10_000;

/** @throws {GrpcFailure} `persistent-subscription-failed` for settings that EventStoreDB rejects too. */
export const settingsOf = (settings: SettingsMessage, source: Source, group: string): GroupSettings => {
  const readBatchSize = settings.getReadBatchSize();
  const historyBufferSize = settings.getHistoryBufferSize();
  if (readBatchSize >= historyBufferSize)
    throw groupFailed(source, group, 'the read batch size must be less than the history buffer size');
  return {
    resolveLinks: settings.getResolveLinks(),
    extraStatistics: settings.getExtraStatistics(),
    messageTimeoutMs: settings.hasMessageTimeoutTicks()
      ? clampedNumber(settings.getMessageTimeoutTicks()) / TICKS_PER_MS
      : settings.getMessageTimeoutMs(),
    maxRetryCount: settings.getMaxRetryCount(),
    checkpointAfterMs: settings.hasCheckpointAfterTicks()
      ? clampedNumber(settings.getCheckpointAfterTicks()) / TICKS_PER_MS
      : settings.getCheckpointAfterMs(),
    minCheckpointCount: settings.getMinCheckpointCount(),
    maxCheckpointCount: settings.getMaxCheckpointCount(),
    maxSubscriberCount: settings.getMaxSubscriberCount(),
    liveBufferSize: settings.getLiveBufferSize(),
    historyBufferSize,
    readBatchSize,
    strategy: strategyNamed(settings, source, group),
  };
};

const strategyNamed = (settings: SettingsMessage, source: Source, group: string): StrategyName => {
  const number = settings.getNamedConsumerStrategy();
  const wanted = settings.getConsumerStrategy?.() || NUMBERED_STRATEGIES[number] || String(number);
  const name = STRATEGY_NAMES.find((known) => known === wanted);
  if (!name) throw groupFailed(source, group, `unknown consumer strategy ${wanted}`);
  return name;
};
/** The older, numeric field of the strategy, which lacks some strategies. */
const NUMBERED_STRATEGIES: readonly (StrategyName | undefined)[] = [
  'DispatchToSingle',
  'RoundRobin',
  'Pinned',
];
