import type { OutcomeView } from '@app/application';
import type { PlanView } from '@app/contract';
import { protectionText, reasonText, renderPlan } from './plan-view.js';
import { costText, countText } from './value-text.js';

type Completed = Extract<OutcomeView, { readonly outcome: 'completed' }>;

/** Renders the summarizer, the cost and the retained messages, one line each. */
const detailsOf = (view: Completed): readonly string[] => {
  const { summarizer, attempts, usage, cost, retainedFrom, protection, fidelity } = view;
  const model = summarizer.model === undefined ? 'no model' : `model ${summarizer.model}`;
  const again = summarizer.deterministic ? 'reproducible' : 'not reproducible: the log keeps the summary';
  return [
    `summary   by ${summarizer.name}, ${model}, prompt version ${summarizer.promptVersion}; ${again}`,
    `attempts  ${attempts}`,
    `cost      ${usage ? (cost && costText(cost)) || 'not known' : 'nothing was billed'}`,
    `retained  ${retainedFrom === null ? 'nothing' : `from ${retainedFrom} on`}`,
    ...(protection ? [protectionText(protection)] : []),
    ...(fidelity ? [fidelityText(fidelity)] : []),
    ...shownFiles(view),
  ];
};

/** The service omits the files for keys that may not read content. */
const shownFiles = ({ fileOperations }: Partial<Pick<Completed, 'fileOperations'>>): readonly string[] =>
  fileOperations ? filesText(fileOperations) : [];

const fidelityText = ({ score, keys, missingKeys }: NonNullable<Completed['fidelity']>): string =>
  `fidelity  ${score}${missingKeys === null ? '' : `: ${missingKeys} of ${keys} names, paths, errors and numbers are lost`}`;

/** Maximum of printed paths per kind; `--json` has all. */
const PATHS_SHOWN = 10;

const filesText = ({
  modified,
  deleted = [],
  renamed = [],
  read,
}: Completed['fileOperations']): readonly string[] => {
  const kinds = [
    ['modified', modified],
    ['deleted', deleted],
    ['renamed', renamed.map(({ from, to }) => `${from} -> ${to}`)],
    ['read', read],
  ] as const;
  return kinds.flatMap(([kind, paths]) => {
    if (paths.length === 0) return [];
    const shown = paths.slice(-PATHS_SHOWN);
    const more = paths.length - shown.length;
    const rest = more > 0 ? ` and ${more} more (--json lists all)` : '';
    return [`${kind.padEnd(9)} ${shown.join(', ')}${rest}`];
  });
};

export const renderOutcome = (plan: PlanView, view: OutcomeView): string => {
  switch (view.outcome) {
    case 'completed': {
      const { compactionId, billedBefore, billedAfter, summary } = view;
      const share = Math.round((1 - billedAfter / Math.max(1, billedBefore)) * 100);
      const head = `${compactionId}: ${billedBefore} billed tokens became ${billedAfter} (${share} % less)`;
      const end = typeof summary === 'string' ? ['', summary] : [];
      return [renderPlan(plan), '', head, ...detailsOf(view), ...end].join('\n');
    }
    case 'failed':
      return failedText(view);
    case 'skipped':
      return `nothing to compact: ${reasonText(view.reason)}`;
    case 'cancelled':
      return `the compaction was given up (${view.by}): ${view.reason}; the context is as it was`;
  }
};

const failedText = ({ attempts, error }: Extract<OutcomeView, { readonly outcome: 'failed' }>): string => {
  const tries = countText(attempts, 'attempt');
  const why = `the compaction failed after ${tries}: ${error.detail} [${error.rule}]`;
  const end = 'the context is as it was';
  return error.permanent
    ? `${why}; it was not retried, since only another configuration helps; ${end}`
    : `${why}; ${end}`;
};
