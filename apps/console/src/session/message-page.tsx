import type { Block, Provenance, ProvenanceLink } from '@app/client';
import { api, mayReadContent } from '../api.js';
import { Blocks } from '../content/blocks.js';
import { recording } from '../offline.js';
import { Loaded, Withheld } from '../parts/basics.js';
import { ErasedNotice } from '../parts/erased.js';
import { useResource } from '../parts/resource.js';
import { count, counted, timeText } from '../parts/text.js';
import { hrefOf, place } from '../router.js';
import type { ViewProps } from './view-props.js';

/** One original message: its content and its current place in the context. */
export const MessagePage = ({ session }: ViewProps) => {
  const message = place.value.path[3] ?? '';
  return (
    <section aria-label={`Message ${message}`}>
      <h2>Message {message}</h2>
      {recording ? (
        <>
          <p>
            The <a href={hrefOf(['sessions', session, 'retention'])}>retention map</a> of this file shows what
            became of its turn.
          </p>
          <Content session={session} message={message} />
        </>
      ) : (
        <WholeLife session={session} message={message} />
      )}
    </section>
  );
};

type Props = { readonly session: string; readonly message: string };

const Content = (props: Props) =>
  mayReadContent.value ? <Original {...props} /> : <Withheld what="The message" />;

const WholeLife = ({ session, message }: Props) => {
  const life = useResource(
    (signal) => api().sessions.provenance(session, message, { signal }),
    [session, message],
  );
  return (
    <Loaded of={life} what="the life of the message">
      {(value) => (
        <>
          {value.erased && <ErasedNotice erased={value.erased} />}
          <Life session={session} value={value} />
          <h3>{value.erased ? 'As it is left' : 'As it was appended'}</h3>
          <Content session={session} message={message} />
        </>
      )}
    </Loaded>
  );
};

const SAYS: Readonly<Record<Provenance['status'], string>> = {
  'in-full': 'Requests carry all of it.',
  'in-part': 'Requests carry a part of it: tool outputs or reasoning are reduced.',
  omitted: 'It is in the context, but requests omit it.',
  covered: 'A summary stands for it: requests no longer carry it.',
  cleared: 'A reset has cleared it: requests no longer carry it, and no summary stands for it.',
  withdrawn: 'It was withdrawn with a compaction that was reverted.',
  pinned: 'It is pinned: every request carries it.',
  unknown: 'This session has no such message.',
};

const ACTIONS: Readonly<Record<ProvenanceLink['action'], string>> = {
  covered: 'summarized the message',
  folded: 'took that summary into its own',
  'carried-on': 'kept that summary as it was',
  cleared: 'cleared the context',
};

const Life = ({ session, value }: { readonly session: string; readonly value: Provenance }) => (
  <>
    <p>
      <strong>
        {value.erased && value.status === 'in-full'
          ? 'Requests carry a marker in its place.'
          : SAYS[value.status]}
      </strong>{' '}
      As of revision {count(value.revision)}.
    </p>
    <ol class="life">
      {'appendedAt' in value && (
        <li>
          <a href={hrefOf(['sessions', session, 'log'], { at: value.appendedAt })}>
            Revision {count(value.appendedAt)}
          </a>
          : it was appended.
        </li>
      )}
      {'chain' in value &&
        value.chain.map((link) => (
          <li key={link.compactionId}>
            <a href={hrefOf(['sessions', session, 'context'], { asOf: link.revision })}>
              Revision {count(link.revision)}
            </a>
            :{' '}
            <a href={hrefOf(['sessions', session, 'compactions', link.compactionId])}>{link.compactionId}</a>{' '}
            {ACTIONS[link.action]}
            {link.covered &&
              link.action === 'covered' &&
              `, with ${counted(link.covered.messages - 1, 'other message')}`}
            . <span class="muted">{timeText(link.at)}</span>{' '}
            {link.isInForce && <span class="label">in force</span>}
          </li>
        ))}
      {'outputs' in value &&
        value.outputs.map(({ callId, rule, droppedBy }) => (
          <li key={callId}>
            The output of <code>{callId}</code> is {rule}
            {droppedBy !== null && (
              <>
                {' '}
                by <a href={hrefOf(['sessions', session, 'compactions', droppedBy])}>{droppedBy}</a>
              </>
            )}
            .
          </li>
        ))}
      {'stages' in value && value.stages.length > 0 && (
        <li>Stages that left something out: {value.stages.join(', ')}.</li>
      )}
    </ol>
    {value.status === 'unknown' && value.forkedFrom && (
      <p>
        The session was forked from{' '}
        <a href={hrefOf(['sessions', value.forkedFrom.sessionId, 'messages', value.message])}>
          {value.forkedFrom.sessionId}
        </a>
        , whose log may have it.
      </p>
    )}
  </>
);

const Original = ({ session, message }: Props) => {
  const stored = useResource(
    (signal) => api().sessions.message(session, message, { signal }),
    [session, message],
  );
  return (
    <Loaded of={stored} what="the message">
      {({ role, countedTokens, recordedAt, content }) => (
        <article class={`message role-${role}`}>
          <p class="message-head">
            <span class="role">{role}</span>{' '}
            <span class="muted">
              {count(countedTokens)} counted tokens, {timeText(recordedAt)}
            </span>
          </p>
          <Blocks content={content as readonly Block[]} />
        </article>
      )}
    </Loaded>
  );
};
