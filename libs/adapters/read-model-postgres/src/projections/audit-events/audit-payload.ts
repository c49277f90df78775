import type { SessionEvent } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { completedPayload } from './completed-payload.js';
import { isMark, type Mark, markPayload } from './mark-payload.js';
import {
  blockCounts,
  contributionsOf,
  cutOf,
  editsOf,
  errorOf,
  profileOf,
  ruleCounts,
  skipReasonOf,
  summarizerOf,
  traceOf,
  usageOf,
} from './parts.js';

/**
 * What an auditor sees of an event: its facts, named one by one, and never content. Of texts that is their length
 * and digest; of messages, tools, labels and files how many there are. A new type of event does not compile until
 * it has been decided here what of it may be shown.
 */
export const auditPayload = (event: SessionEvent): JsonObject =>
  isMark(event) ? markPayload(event) : payloadOf(event);

const payloadOf = ({ type, data }: Exclude<SessionEvent, Mark>): JsonObject => {
  switch (type) {
    case 'SessionOpened':
      return {
        model: data.model,
        window: data.limits.window,
        windowSource: data.limits.windowSource,
        maxOutput: data.limits.maxOutput,
        inputLimit: data.limits.inputLimit,
        profile: profileOf(data.profile),
        systemPrompt: traceOf(data.systemPrompt),
        tools: data.tools.length,
        fixedTokens: data.fixedTokens,
        parentSessionId: data.parentSessionId,
        labels: Object.keys(data.labels).length,
      };
    case 'MessageAppended':
      return {
        messageId: data.message.id,
        role: data.message.role,
        model: data.message.model,
        createdAt: data.message.createdAt,
        synthetic: data.message.synthetic,
        blocks: blockCounts(data.message.blocks),
        tokens: data.tokens,
        estimator: data.estimator,
      };
    case 'UsageReported':
      return {
        usage: usageOf(data.usage),
        model: data.model,
        outcome: data.outcome,
        source: data.source,
        messageId: data.messageId,
        epoch: data.epoch,
        shortened: data.shortened,
      };
    case 'TurnCompleted':
      return { turn: data.turn, stopReason: data.stopReason };
    case 'ToolCallAbandoned':
      return { calls: data.calls.length, reason: data.reason };
    case 'SettingsChanged':
      return { profile: profileOf(data.profile), window: data.limits.window, changed: [...data.changed] };
    case 'ModelSwitched':
      return {
        from: data.from,
        model: data.model,
        window: data.limits.window,
        occupancyAfter: data.occupancyAfter,
      };
    case 'SessionClosed':
      return { reason: traceOf(data.reason) };
    case 'ContentPinned': {
      const { pinId, kind, text, tokens } = data.pin;
      return { pinId, kind, text: traceOf(text), tokens, occupancyAfter: data.occupancyAfter };
    }
    case 'ContentUnpinned':
      return { pinId: data.pinId, occupancyAfter: data.occupancyAfter };
    case 'RequestComposed':
      return {
        format: data.format,
        revision: data.revision,
        turn: data.turn,
        tokens: data.tokens,
        window: data.window,
        state: data.state,
        epoch: data.epoch,
        stages: [...data.stages],
        notes: data.notes.map(({ did, because, count }) => ({ did, because, count })),
        digest: data.digest,
        contributions: contributionsOf(data.contributions),
        failedProviders: data.failedProviders && [...data.failedProviders],
        ladder: data.ladder && { ...data.ladder },
      };
    case 'RequestRefused':
      return {
        reason: data.reason,
        turn: data.turn,
        state: data.state,
        occupancy: data.occupancy,
        threshold: data.threshold,
        window: data.window,
        waysOut: [...data.waysOut],
        contributions: contributionsOf(data.contributions),
      };
    case 'OverflowReported':
      return { turn: data.turn, tokens: data.tokens };
    case 'ContextOverflow':
      return {
        turn: data.turn,
        because: data.because,
        rung: data.rung,
        tokens: data.tokens,
        budget: data.budget,
        parts: data.parts.map(({ part, tokens }) => ({ part, tokens })),
      };
    case 'CompactionOverridden':
      return {
        turn: data.turn,
        reason: traceOf(data.reason),
        occupancy: data.occupancy,
        threshold: data.threshold,
      };
    case 'CompactionWarning':
    case 'CompactionRequired':
    case 'CompactionThresholdHit':
      return {
        occupancy: data.occupancy,
        threshold: data.threshold,
        window: data.window,
        turn: data.turn,
      };
    case 'CompactionRequested':
      return {
        trigger: data.trigger,
        profile: profileOf(data.profile),
        instructions: data.instructions === undefined ? undefined : traceOf(data.instructions),
        occupancy: data.occupancy,
        turn: data.turn,
        contributed: data.contributed,
        workGoesOn: data.workGoesOn,
      };
    case 'CompactionDeferred':
      return {
        trigger: data.trigger,
        until: data.until,
        by: data.by,
        reason: traceOf(data.reason),
        profile: profileOf(data.profile),
        instructions: data.instructions === undefined ? undefined : traceOf(data.instructions),
        occupancy: data.occupancy,
        turn: data.turn,
      };
    case 'CompactionsHeld':
      return { until: data.until, by: data.by, reason: traceOf(data.reason), turn: data.turn };
    case 'CompactionsReleased':
      return { by: data.by, reason: traceOf(data.reason) };
    case 'CompactionSkipped':
      return { trigger: data.trigger, reason: skipReasonOf(data.reason) };
    case 'CompactionStarted':
      return {
        attempt: data.attempt,
        worker: data.worker,
        summarizer: summarizerOf(data.summarizer),
        stages: [...data.stages],
        turn: data.turn,
        cut: cutOf(data.cut),
        splitTurn: data.splitTurn,
        coveredMessages: data.coveredMessages,
        coveredTokens: data.coveredTokens,
        tokensBefore: data.tokensBefore,
        target: data.target,
        inputHash: data.inputHash,
      };
    case 'CompactionAttemptFailed':
      return {
        attempt: data.attempt,
        error: errorOf(data.error),
        retryAt: data.retryAt,
        usage: usageOf(data.usage),
      };
    case 'CompactionSummaryOversize':
      return { attempt: data.attempt, tokens: data.tokens, atMost: data.atMost };
    case 'CompactionReasoningDowngraded':
      return { attempt: data.attempt, marks: data.marks, blocks: data.blocks };
    case 'CompactionNoProgress':
      return { attempt: data.attempt, before: data.before, after: data.after, atMost: data.atMost };
    case 'CompactionCompleted':
      return completedPayload(data);
    case 'CompactionFailed':
      return { attempts: data.attempts, error: errorOf(data.error) };
    case 'CompactionApplied':
      return {
        occupancyBefore: data.occupancyBefore,
        occupancyAfter: data.occupancyAfter,
        warningCleared: data.warningCleared,
      };
    case 'CompactionDoubleRan':
      return {
        attempt: data.attempt,
        worker: data.worker,
        usage: usageOf(data.usage),
        applied: data.applied && { worker: data.applied.worker, usage: usageOf(data.applied.usage) },
      };
    case 'ContinuationQueued':
      return { messageId: data.messageId, turn: data.turn, because: data.because };
    case 'ProviderContextEdited':
      return editsOf(data);
    case 'DoubleCompactionConfigured':
      return { profile: data.profile, since: data.since };
    case 'CompactionCancelled':
      return { by: data.by, reason: traceOf(data.reason) };
    case 'CompactionCircuitOpened':
      return { failures: data.failures, messages: data.messages, openedAt: data.openedAt };
    case 'CompactionCircuitClosed':
      return { because: data.because, messages: data.messages };
    case 'CompactionReverted':
      return {
        restored: data.restored,
        reason: traceOf(data.reason),
        occupancyBefore: data.occupancyBefore,
        occupancyAfter: data.occupancyAfter,
      };
    case 'SessionReset':
      return {
        reason: traceOf(data.reason),
        turn: data.turn,
        clearedMessages: data.clearedMessages,
        tokensBefore: data.tokensBefore,
        tokensAfter: data.tokensAfter,
      };
    case 'SessionForked':
      return {
        from: { sessionId: data.from.sessionId, revision: data.from.revision },
        summary: data.summary === null ? null : traceOf(data.summary),
        summaryTokens: data.summaryTokens,
        cut: data.cut && cutOf(data.cut),
        retention: ruleCounts(data.retention),
        occupancyAfter: data.occupancyAfter,
      };
  }
};
