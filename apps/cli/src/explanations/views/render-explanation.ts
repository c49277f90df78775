import type {
  CompactionExplanation,
  ExplainedFidelity,
  ExplainedOutcome,
  Explanation,
  ForkExplanation,
  Lost,
  ResetExplanation,
  Standing,
  Verified,
} from '@app/contract';
import { reasonText, retentionTable } from '../../output/plan-view.js';
import { costText, countText } from '../../output/value-text.js';
import { wrapped } from '../../output/wrapped.js';
import { attemptText } from './render-attempt.js';
import { planText } from './render-plan.js';
import { whyText } from './render-why.js';

/**
 * Renders a compaction, a reset or a fork in lines that fit the terminal: sizes, IDs, reasons, and the names that were
 * lost.
 */
export const renderExplanation = (explanation: Explanation): string =>
  explanationText(explanation)
    .split('\n')
    .map((line) => wrapped(line, /^ {2}\S/.test(line) ? ATTEMPT_LABEL : LABEL))
    .join('\n');

/** Characters of the labels before the values of a compaction, and of an attempt. */
const LABEL = 10;
const ATTEMPT_LABEL = 13;

const explanationText = (explanation: Explanation): string => {
  switch (explanation.kind) {
    case 'compaction':
      return compactionText(explanation);
    case 'reset':
      return resetText(explanation);
    case 'fork':
      return forkText(explanation);
  }
};

const compactionText = (one: CompactionExplanation): string => {
  const { verified, covered, previous, turns, droppedOutputs } = one;
  return [
    `${one.compactionId} of ${one.session}: ${outcomeText(one.outcome)}`,
    '',
    ...whyText(one.why),
    ...planText(one.plan),
    ...importedText(one.imported),
    ...(covered
      ? [
          `covers    ${countText(covered.messages, 'message')} (${countText(covered.tokens, 'counted token')}), from ${covered.from} to ${covered.to}` +
            (previous ? `, and the summary of ${previous}` : ''),
        ]
      : []),
    ...(droppedOutputs.length > 0
      ? [
          `drops     ${countText(droppedOutputs.length, 'tool output')}, ${sum(droppedOutputs)} counted tokens`,
        ]
      : []),
    ...(verified && one.imported
      ? [
          `came to   ${verified.countedBefore} counted tokens became ${verified.countedAfter}; ` +
            `the framed summary takes ${verified.summaryTokens}`,
        ]
      : []),
    ...(verified && !one.imported
      ? [
          `result    ${verified.billedBefore} billed tokens became ${verified.billedAfter}; ${verified.durationMs} ms`,
          `verified  ${verified.countedBefore} counted tokens became ${verified.countedAfter}, at most ` +
            `${verified.countedLimit} were allowed; the framed summary takes ${verified.summaryTokens} counted tokens`,
        ]
      : []),
    ...cacheText(one.promptCache),
    ...fidelityText(verified?.fidelity ?? null),
    ...lostText(one.lost),
    ...quotesText(verified),
    ...(one.attempts.length > 0 ? ['', ...one.attempts.map(attemptText)] : []),
    ...one.lateResults.map(
      ({ attempt, worker }) =>
        `late      ${worker} came with a result of attempt ${attempt}: paid for, not applied`,
    ),
    ...one.besideProvider.map(besideText),
    ...(turns.length > 0 ? ['', retentionTable(turns)] : []),
  ].join('\n');
};

const cacheText = (effect: CompactionExplanation['promptCache']): readonly string[] => {
  if (!effect) return [];
  const { kept, rewritten, savedPerRequest, breakEvenRequests: requests } = effect;
  const paid = requests === null ? '' : `; paid for after ${countText(requests, 'request')}`;
  return [
    `cache     the provider reads ${kept} billed tokens as before and caches ${rewritten} anew; each request has ` +
      `${savedPerRequest} less${paid}`,
  ];
};

const besideText = (one: CompactionExplanation['besideProvider'][number]): string => {
  const did = [
    ...(one.compacted ? ['compacted'] : []),
    ...(one.clearedToolUses > 0 ? [`cleared ${countText(one.clearedToolUses, 'tool use')}`] : []),
    ...(one.clearedThinkingTurns > 0
      ? [`cleared the thinking of ${countText(one.clearedThinkingTurns, 'turn')}`]
      : []),
  ];
  const cost = one.cost ? `, for ${costText(one.cost)}` : '';
  return `double    the provider ${did.join(' and ') || 'edited the request'} in the same turn${cost}`;
};

/** Maximum of printed names per kind; `--json` has all recorded names. */
const NAMES_SHOWN = 20;

/** Renders lost names; the service omits them for keys that may not read content. */
const lostText = (lost: Lost | null | undefined): readonly string[] => {
  if (!lost) return [];
  const kinds = [...new Set(lost.names.map(({ kind }) => kind))];
  const names = kinds.map((kind) => {
    const all = lost.names.filter((one) => one.kind === kind).map(({ name }) => name);
    const more = all.length > NAMES_SHOWN ? ` and ${all.length - NAMES_SHOWN} more (--json lists them)` : '';
    return `lost      ${kind}: ${all.slice(0, NAMES_SHOWN).join(', ')}${more}`;
  });
  return [
    ...names,
    ...(lost.unlisted > 0
      ? [`          and ${lost.unlisted} more that weigh less, which are not recorded`]
      : []),
    ...lost.directives.map(({ messageId, sentence }) => `lost      directive of ${messageId}: ${sentence}`),
  ];
};

const importedText = (imported: CompactionExplanation['imported']): readonly string[] => {
  if (!imported) return [];
  const { by, trigger, at, tokensBefore, tokensAfter } = imported;
  const model = by.model === undefined ? '' : ` with ${by.model}`;
  const how = trigger === undefined ? '' : `, ${trigger === 'manual' ? "on its user's word" : 'by itself'}`;
  const before = tokensBefore === undefined ? '' : `, at ${tokensBefore} tokens by its own count`;
  const after = tokensAfter === undefined ? '' : `, and left ${tokensAfter}`;
  return [
    `imported  ${by.name} (version ${by.promptVersion})${model} made it${how}${at ? `, ${at}` : ''}${before}${after}`,
  ];
};

const fidelityText = (fidelity: ExplainedFidelity | null): readonly string[] => {
  if (!fidelity) return [];
  const { score, keys, kinds, missingKeys, directives, missing } = fidelity;
  const gone = missing.length === 0 ? '' : `; ${missingKeys ?? missing.length} are missing`;
  const parts = Object.entries(kinds ?? {}).map(([kind, { kept, of }]) => `${kind} ${kept} of ${of}`);
  const places = [...new Set([...missing, ...(directives.missing ?? [])])];
  return [
    `fidelity  ${Math.round(score * 100)} % of ${keys} names, paths, errors and numbers by their weight, ` +
      `${directives.kept} of ${directives.of} directives of the user${gone}`,
    ...(parts.length > 0 ? [`          ${parts.join(', ')}`] : []),
    ...(places.length > 0 ? [`          missing from ${places.join(', ')}`] : []),
  ];
};

const quotesText = (verified: Verified | null): readonly string[] => {
  const { quotes = null, truncated = null } = verified ?? {};
  const unfounded = quotes?.unfounded.map((id) => id ?? 'no message named') ?? [];
  const doubt =
    unfounded.length === 0 ? '' : `, ${unfounded.length} are not in the log: ${unfounded.join(', ')}`;
  return [
    ...(quotes ? [`quotes    ${quotes.checked} of the user, looked up in the log${doubt}`] : []),
    ...(truncated
      ? [`truncated the framed summary from ${truncated.from} to ${truncated.to} counted tokens`]
      : []),
  ];
};

const outcomeText = (outcome: ExplainedOutcome): string => {
  switch (outcome.status) {
    case 'deferred':
      return 'it is deferred, and was not asked for yet';
    case 'waiting':
      return 'it waits for a worker';
    case 'running':
      return 'it is under way';
    case 'completed':
      return `completed at revision ${outcome.revision}, ${standingText(outcome.standing)}`;
    case 'failed':
      return `failed after ${countText(outcome.attempts, 'attempt')}${outcome.error.permanent ? ', not retried' : ''}: ${outcome.error.detail} [${outcome.error.rule}]; the context stayed as it was`;
    case 'cancelled':
      return `given up (${outcome.by}): ${outcome.reason}; the context stayed as it was`;
    case 'skipped':
      return `skipped: ${reasonText(outcome.reason)}`;
  }
};

const standingText = (standing: Standing): string => {
  switch (standing.is) {
    case 'in-force':
      return 'and in force';
    case 'erased':
      return `but no longer in force: its summary was erased at revision ${standing.revision} (${standing.erasure})`;
    case 'superseded':
      return `and superseded since by ${standing.by} (${standing.kind})`;
    case 'reverted':
      return `and reverted at revision ${standing.revision}: ${standing.reason}`;
  }
};

const sum = (outputs: readonly { readonly freed: number }[]): number =>
  outputs.reduce((total, { freed }) => total + freed, 0);

const resetText = (reset: ResetExplanation): string =>
  [
    `${reset.compactionId} of ${reset.session}: a reset at revision ${reset.revision}, ${standingText(reset.standing)}`,
    '',
    `why       asked for by ${reset.actor} in turn ${reset.turn}: ${reset.reason}`,
    `cleared   ${countText(reset.cleared.messages, 'message')}: ${reset.billedBefore} billed tokens became ${reset.billedAfter}`,
    ...(reset.carried ? [`kept      ${reset.carried}, the user's current input`] : []),
  ].join('\n');

const forkText = ({
  compactionId,
  session,
  revision,
  standing,
  from,
  summaryTokens,
}: ForkExplanation): string =>
  [
    `${compactionId} of ${session}: the start of the session, at revision ${revision}, ${standingText(standing)}`,
    '',
    `from      ${from.sessionId} as of revision ${from.revision}, whose summary takes ${summaryTokens} counted tokens`,
    `          \`palimpsest explain ${from.sessionId} ${compactionId}\` tells where that came from, if it is its own`,
  ].join('\n');
