import { type Revision, Tokens } from '@app/kernel';
import { subjectsIn } from '../message/index.js';
import { profileFor } from '../profiles/for-model.js';
import { contextSubjects, descriptionIn, isRedescribed } from '../session/description.js';
import { asRead, type Entry } from '../session/entry.js';
import type { CallReference, DroppedOutput, OpeningState } from '../session/events.js';
import { freeingsOf, type Marks, NO_MARKS } from '../session/marks.js';
import { isProtected, NO_PROTECTION } from '../session/protection.js';
import { openingParts, partsReopened, voided } from '../session/request-parts.js';
import type { OpenSession } from '../session/state.js';
import type { PivotFacts } from './pivots.js';

/**
 * Returns the opening state of a compaction event: together with the messages from the cut on it is the complete
 * state, so that no earlier event is ever read.
 */
export const openingState = (
  session: OpenSession,
  retained: readonly Entry[],
  carried: Entry | undefined,
  droppedOutputs: readonly DroppedOutput[],
  compactions = session.compactions + 1,
): OpeningState => {
  const first = retained[0];
  const last = retained.at(-1);
  const kept = new Set([...(carried ? [carried] : []), ...retained].map((entry) => entry.message.id));
  const isKept = (call: CallReference): boolean => kept.has(call.messageId);
  const unreplayableReasoning = session.unreplayableReasoning.filter((id) => kept.has(id));
  const places = new Set([...(carried ? [carried] : []), ...retained].map(({ position }) => position));
  const measured = session.measured.filter(({ position }) => places.has(position));
  const parts = openingParts(session.parts, session.opened, kept);
  const [partSubjects, historySubjects] = [subjectsIn(session.opened), contextSubjects(session)];
  return {
    opened: session.opened,
    ...(isRedescribed(session) && { description: session.description }),
    model: session.model,
    limits: session.limits,
    profile: session.policy,
    ...(parts && {
      parts: {
        ...parts,
        ...(partSubjects.length > 0 && { subjects: partSubjects }),
        ...(historySubjects.length > 0 && { historySubjects }),
      },
    }),
    leadingSystem: session.leadingSystem,
    ...(carried && { carried }),
    messagesBefore: first?.position ?? session.messages,
    turnAtCut: first?.turn ?? session.turn,
    abandonedCalls: session.abandonedCalls.filter(isKept),
    droppedOutputs: [...session.droppedOutputs, ...droppedOutputs].filter(isKept),
    turnCompleted: session.turnCompleted,
    ...marksKept(session, kept),
    ...(session.pins.length > 0 && { pins: session.pins }),
    ...(session.hold && { hold: session.hold }),
    ...(isProtected(session.protection) && { protection: session.protection }),
    ...(session.calibrations.length > 0 && { calibrations: session.calibrations }),
    ...(measured.length > 0 && { measured }),
    ...(session.requests.length > 0 && { requests: voided(session.requests) }),
    ...(session.lastBilledMessageId !== undefined && { lastBilledMessageId: session.lastBilledMessageId }),
    ...(session.request.contributed > 0 && { contributed: session.request.contributed }),
    ...(session.ladder && { ladder: session.ladder }),
    ...(unreplayableReasoning.length > 0 && { unreplayableReasoning }),
    ...(session.request.format && { format: session.request.format }),
    compactions,
    ...(session.compactionIdCount > 0 && { compactionIdCount: session.compactionIdCount }),
    // Only a withdrawn message can follow the newest retained one.
    ...(last && last.position + 1 < session.messages && { messages: session.messages }),
    ...(session.lastEditedResponseId !== undefined && { lastEditedResponseId: session.lastEditedResponseId }),
  };
};

/** Returns an opening state with the savings of the compactions behind it. */
export const withSaving = (opening: OpeningState, countedSaved: Tokens): OpeningState =>
  countedSaved === 0 ? opening : { ...opening, countedSaved };

/** The marks of messages that stay. */
const marksKept = ({ marks }: OpenSession, kept: ReadonlySet<string>): { readonly marks?: Marks } => {
  const ofKept = <One extends { readonly messageId: string }>(all: readonly One[]): readonly One[] =>
    all.filter(({ messageId }) => kept.has(messageId));
  const left = {
    offloaded: ofKept(marks.offloaded),
    droppedReasoning: ofKept(marks.droppedReasoning),
    collapsed: ofKept(marks.collapsed),
  };
  return Object.values(left).some((all) => all.length > 0) ? { marks: left } : {};
};

/** Returns the facts about the newest request before a pivot. */
const requestReopened = ({ contributed, format }: OpeningState): OpenSession['request'] => ({
  contributed: contributed ?? Tokens(0),
  rung: undefined,
  billedTokens: undefined,
  format,
});

/** The compaction and request state right after a pivot. */
const NOTHING_UNDER_WAY = {
  compaction: undefined,
  deferred: undefined,
  lateResults: [],
  skipped: undefined,
  restingInTurn: undefined,
  lastFailure: undefined,
  circuit: undefined,
  overriddenTurn: undefined,
  lastAnswer: undefined,
  modelSwitched: false,
  reasoningClearedIn: [], // What the provider clears of the next request, it has yet to say.
  providerEdited: undefined,
  duplicateCompactionId: undefined,
  reverted: undefined,
  lastErasure: undefined,
  closed: false,
} as const;

/** The state right after a pivot, from its event and the messages from its cut on. */
export const reopen = (
  { opening, attempt, messagesDuringRun, isAutomatic, isForOverflow, ...pivot }: PivotFacts,
  revision: Revision,
  retained: readonly Entry[],
): OpenSession => {
  const entries = opening.carried ? [asRead(opening.carried), ...retained] : retained;
  const last = retained.at(-1);
  const messages = opening.messages ?? (last ? last.position + 1 : opening.messagesBefore);
  const turn = last?.turn ?? opening.turnAtCut;
  const marks = opening.marks ?? NO_MARKS;
  const marked = { droppedOutputs: opening.droppedOutputs, marks };
  const freed = freeingsOf(marked).reduce((sum, one) => sum + one.freed, 0);
  return {
    status: 'open',
    opened: opening.opened,
    description: opening.description ?? descriptionIn(opening.opened),
    model: opening.model,
    limits: opening.limits,
    policy: opening.profile,
    profile: profileFor(opening.profile, opening.model),
    parts: partsReopened(opening.opened, opening.parts),
    leadingSystem: opening.leadingSystem.map(asRead),
    entries,
    entriesTokens: entries.reduce((sum, entry) => sum + entry.tokens, -freed),
    pivot: { ...pivot, revision, turn },
    turn,
    messages,
    turnCompleted: opening.turnCompleted,
    compactions: opening.compactions,
    // A compaction has got its name when it was asked for.
    compactionIdCount: (opening.compactionIdCount ?? 0) + (pivot.kind === 'compaction' ? 0 : 1),
    usage: undefined,
    measured: opening.measured ?? [],
    requests: opening.requests ?? [],
    lastBilledMessageId: opening.lastBilledMessageId,
    epochSince: revision,
    calibrations: opening.calibrations ?? [],
    request: requestReopened(opening),
    ladder: opening.ladder,
    unreplayableReasoning: opening.unreplayableReasoning ?? [],
    overflow: isForOverflow
      ? { messages, tokens: Tokens(0), rung: undefined, isCompacted: true, isRetried: false, isAgain: false }
      : undefined,
    // Thresholds that stay crossed are not recorded again; `evolve` clears the others.
    crossed: { warning: true, critical: true, blocking: true, trigger: true, isServed: true },
    ...NOTHING_UNDER_WAY,
    hold: opening.hold,
    protection: opening.protection ?? NO_PROTECTION,
    ended: { compactionId: pivot.compactionId, attempt },
    failures: opening.failures ?? 0,
    compactionsWithoutProgress: opening.compactionsWithoutProgress ?? 0,
    abandonedCalls: opening.abandonedCalls,
    ...marked,
    pins: opening.pins ?? [],
    automaticAt: isAutomatic ? messages - messagesDuringRun : undefined,
    lastEditedResponseId: opening.lastEditedResponseId,
  };
};
