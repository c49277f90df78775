import type { CompactionExplanation, Explanation, Imported } from '@app/client';
import { useState } from 'preact/hooks';
import { api, mayReadContent } from '../../api.js';
import { recording } from '../../offline.js';
import { Loaded, Withheld } from '../../parts/basics.js';
import { useResource } from '../../parts/resource.js';
import { count, counted, dollars, duration, fidelity, timeText } from '../../parts/text.js';
import { hrefOf } from '../../router.js';
import type { ViewProps } from '../view-props.js';
import { Losses } from './losses.js';
import { SKIPS } from './skips.js';
import { SummaryAgainstLog } from './summary-against-log.js';

/** One compaction: its cause, range, summary and losses. */
export const CompactionPage = ({ session, compaction }: ViewProps & { readonly compaction: string }) => {
  const explained = useResource(
    (signal) => api().compactions.explain(session, compaction, { signal }),
    [session, compaction],
  );
  return (
    <section aria-label={`Compaction ${compaction}`}>
      <h2>
        {explained.value && kindText(explained.value)} <code>{compaction}</code>
      </h2>
      <Loaded of={explained} what="the explanation">
        {(value) =>
          value.kind === 'compaction' ? (
            <Explained session={session} value={value} />
          ) : (
            <Other session={session} value={value} />
          )
        }
      </Loaded>
    </section>
  );
};

const kindText = (value: Explanation): string => {
  if (value.kind === 'reset') return '⟲ Reset';
  if (value.kind === 'fork') return '⑂ Fork';
  return value.imported ? '▽ Compaction by the agent' : '▼ Compaction';
};

const Other = ({
  session,
  value,
}: {
  readonly session: string;
  readonly value: Exclude<Explanation, CompactionExplanation>;
}) =>
  value.kind === 'reset' ? (
    <p>
      A reset by <code>{value.actor}</code> at{' '}
      <a href={hrefOf(['sessions', session, 'context'], { asOf: value.revision })}>
        revision {count(value.revision)}
      </a>
      : {value.reason}. It cleared {counted(value.cleared.messages, 'message')}, {count(value.billedBefore)} →{' '}
      {count(value.billedAfter)} billed tokens. The log keeps all of them.
    </p>
  ) : (
    <p>
      The session was forked from{' '}
      <a href={hrefOf(['sessions', value.from.sessionId])}>{value.from.sessionId}</a> at revision{' '}
      {count(value.from.revision)}.
    </p>
  );

type Props = { readonly session: string; readonly value: CompactionExplanation };

const Explained = ({ session, value }: Props) => {
  const [shown, setShown] = useState<string | undefined>(value.covered?.from);
  return (
    <>
      <Reasons session={session} value={value} />
      {value.outcome.status === 'completed' && (
        <>
          <Losses session={session} value={value} onShow={setShown} />
          {mayReadContent.value ? (
            <SummaryAgainstLog session={session} value={value} shown={shown} onShow={setShown} />
          ) : (
            <Withheld what="The summary and the messages that it covers" />
          )}
        </>
      )}
    </>
  );
};

/** Its trigger, cut, actor and cost. */
const Reasons = ({ session, value }: Props) => {
  const { why, plan, outcome, verified, imported } = value;
  const last = value.attempts.at(-1);
  return (
    <dl class="facts">
      <dt>Outcome</dt>
      <dd>
        <strong>{outcome.status}</strong> {outcomeText(value)}{' '}
        {'revision' in outcome && (
          <>
            <a href={hrefOf(['sessions', session, 'context'], { asOf: Math.max(0, why.revision - 1) })}>
              Context before
            </a>{' '}
            <a href={hrefOf(['sessions', session, 'context'], { asOf: outcome.revision })}>and after</a>
          </>
        )}
        {(outcome.status === 'failed' || outcome.status === 'skipped') && !recording && (
          <>
            {' '}
            The context stayed as it was; <a href={hrefOf(['sessions', session, 'what-if'])}>What if</a> tries
            other profiles.
          </>
        )}
      </dd>
      <dt>Why now</dt>
      <dd>
        {imported
          ? agentsOwn(imported)
          : `Trigger ${why.trigger}: the next request took ${count(why.occupancy)} billed tokens of ${why.window === 0 ? 'an unlimited window' : count(why.window)}${why.thresholds ? `, the trigger is at ${count(why.thresholds.trigger)}` : ''}. Profile ${why.profile}.`}{' '}
        {imported ? 'Imported' : 'Requested'} by <code>{why.actor}</code> in turn {count(why.turn)},{' '}
        {timeText(why.at)}.
      </dd>
      {plan && !imported && (
        <>
          <dt>Why there</dt>
          <dd>
            Everything before message{' '}
            <a href={hrefOf(['sessions', session, 'messages', plan.cut.messageId])}>{plan.cut.messageId}</a>{' '}
            {outcome.status === 'completed' ? 'was compacted' : 'was to be compacted'}
            {plan.splitTurn && ', within a turn'}: {count(plan.countedBefore)} counted tokens, target{' '}
            {count(plan.target)}
            {plan.protectedTurns && `, the newest ${counted(plan.protectedTurns.wanted, 'turn')} protected`}.
            Stages: {plan.stages.join(', ')}.
          </dd>
        </>
      )}
      {verified && (
        <>
          <dt>{imported ? 'Measured' : 'Verified'}</dt>
          <dd>
            {count(verified.billedBefore)} → {count(verified.billedAfter)} billed tokens (
            {count(verified.countedBefore)} → {count(verified.countedAfter)} counted), summary{' '}
            {count(verified.summaryTokens)} counted tokens
            {verified.durationMs > 0 && `, ${duration(verified.durationMs)}`}.{' '}
            {verified.fidelity &&
              `Fidelity ${imported && verified.summaryTokens === 0 ? 'at least ' : ''}${fidelity(verified.fidelity.score)} of ${counted(verified.fidelity.keys, 'fact')}; directives ${verified.fidelity.directives.kept} of ${verified.fidelity.directives.of}. `}
            {verified.quotes?.checked
              ? `Quotes of the user: ${count(verified.quotes.checked)} checked, ${count(verified.quotes.unfounded.length)} not found in the log.`
              : ''}
          </dd>
        </>
      )}
      {last && (
        <>
          <dt>Attempts</dt>
          <dd>
            {count(value.attempts.length)}; the last by {last.summarizer.name}
            {last.summarizer.model !== undefined && ` (${last.summarizer.model})`}
            {last.error && `, failed: ${last.error.rule}, ${last.error.detail}`}
            {last.cost?.nanoUsd !== undefined && `, ${dollars(last.cost.nanoUsd)}`}.
          </dd>
        </>
      )}
      {value.previous !== null && (
        <>
          <dt>Builds on</dt>
          <dd>
            <a href={hrefOf(['sessions', session, 'compactions', value.previous])}>{value.previous}</a>
          </dd>
        </>
      )}
    </dl>
  );
};

/** Facts of a compaction that the agent of an imported session made. */
const agentsOwn = ({ trigger, format, at, tokensBefore, tokensAfter }: Imported): string => {
  const counts = [
    ...(tokensBefore === undefined ? [] : [`${count(tokensBefore)} tokens before`]),
    ...(tokensAfter === undefined ? [] : [`${count(tokensAfter)} after`]),
  ];
  return [
    `The agent compacted by itself${trigger ? ` (${trigger})` : ''}, as its transcript (${format}) says`,
    ...(at === undefined ? [] : [`, at ${timeText(at)} by its clock`]),
    ...(counts.length === 0 ? [] : [`; it counted ${counts.join(' and ')}`]),
    '.',
  ].join('');
};

const outcomeText = ({ outcome }: CompactionExplanation): string => {
  if (outcome.status === 'completed') {
    const { standing } = outcome;
    if (standing.is === 'in-force') return 'and in force.';
    if (standing.is === 'erased') return 'but no longer in force: its summary was erased.';
    return standing.is === 'reverted'
      ? `and reverted: ${standing.reason}.`
      : `and superseded by a later ${standing.kind}.`;
  }
  if (outcome.status === 'failed')
    return `after ${counted(outcome.attempts, 'attempt')}: ${outcome.error.rule}, ${outcome.error.detail}.`;
  if (outcome.status === 'cancelled') return `by ${outcome.by}: ${outcome.reason}.`;
  if (outcome.status === 'skipped')
    return `by the rule ${outcome.reason.rule}: ${SKIPS[outcome.reason.rule]}.`;
  return '';
};
