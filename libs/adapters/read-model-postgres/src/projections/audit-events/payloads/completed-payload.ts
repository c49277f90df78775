import type { CompactionCompleted } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { lossesOf } from '../losses.js';
import {
  costOf,
  cutOf,
  droppedOf,
  fidelityOf,
  ruleCounts,
  summarizerOf,
  traceOf,
  usageOf,
} from '../parts.js';

/** Without the opening state, which is made of messages. */
export const completedPayload = (data: CompactionCompleted['data']): JsonObject => ({
  attempt: data.attempt,
  worker: data.worker,
  trigger: data.trigger,
  turn: data.turn,
  summary: data.summary === null ? null : traceOf(data.summary),
  summaryTokens: data.summaryTokens,
  reinjected: data.reinjected?.map(({ kind, messageId, countedTokens }) => ({
    kind,
    messageId,
    countedTokens,
  })),
  truncated: data.truncated && { from: data.truncated.from, to: data.truncated.to },
  quotes: data.quotes && { checked: data.quotes.checked, unfounded: [...data.quotes.unfounded] },
  cut: data.cut && cutOf(data.cut),
  splitTurn: data.splitTurn,
  covered: data.covered && {
    from: data.covered.from,
    to: data.covered.to,
    messages: data.covered.messages,
  },
  countedBefore: data.countedBefore,
  countedAfter: data.countedAfter,
  billedBefore: data.billedBefore,
  billedAfter: data.billedAfter,
  target: data.target,
  targetRaised: data.targetRaised && { from: data.targetRaised.from, reason: data.targetRaised.reason },
  protection: data.protection && { ...data.protection },
  retention: ruleCounts(data.retention),
  droppedOutputs: droppedOf(data.droppedOutputs),
  filesRead: data.fileOperations.read.length,
  filesModified: data.fileOperations.modified.length,
  filesDeleted: data.fileOperations.deleted?.length ?? 0,
  filesRenamed: data.fileOperations.renamed?.length ?? 0,
  summarizer: summarizerOf(data.summarizer),
  native: data.native && { provider: data.native.provider, model: data.native.model },
  usage: usageOf(data.usage),
  cost: costOf(data.cost),
  fidelity: fidelityOf(data.fidelity),
  lost: lossesOf(data),
  durationMs: data.durationMs,
  imported: data.imported && { ...data.imported },
  messagesDuringRun: data.messagesDuringRun,
});
