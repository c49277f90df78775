import type { Block, CompactionExplanation } from '@app/client';
import type { ComponentChildren } from 'preact';
import { api } from '../../api.js';
import { Blocks } from '../../content/blocks.js';
import { Loaded } from '../../parts/basics.js';
import { Each } from '../../parts/each.js';
import { ERASED_TEXT, ErasedNotice } from '../../parts/erased.js';
import { useResource } from '../../parts/resource.js';
import { count, counted } from '../../parts/text.js';
import { VirtualList } from '../../parts/virtual-list.js';
import { hrefOf } from '../../router.js';

type Props = {
  readonly session: string;
  readonly value: CompactionExplanation;
  readonly shown: string | undefined;
  readonly onShow: (message: string) => void;
};

/** The record on the left, with each source as a link; the message of the chosen source on the right. */
export const SummaryAgainstLog = ({ session, value, shown, onShow }: Props) => {
  const { compactionId, covered, verified } = value;
  const outcome = useResource(
    (signal) => api().compactions.outcome(session, compactionId, { timeoutSeconds: 1, signal }),
    [session, compactionId],
  );
  const ids = covered?.ids ?? [];
  return (
    <div class="two-sides">
      <section aria-label="Summary">
        <h3>Summary</h3>
        <Loaded of={outcome} what="the summary">
          {(ended) =>
            ended.outcome === 'completed' && ended.summary === ERASED_TEXT ? (
              <p class="notice">
                <strong>▨ Erased</strong> with content that it stood for. The compaction’s sizes and facts
                stay.
              </p>
            ) : ended.outcome === 'completed' && ended.summary !== null ? (
              <Cited
                text={ended.summary}
                known={new Set(ids)}
                unfounded={verified?.quotes?.unfounded ?? []}
                onShow={onShow}
              />
            ) : (
              <NoSummary native={ended.outcome === 'completed' ? ended.native : null} />
            )
          }
        </Loaded>
      </section>
      <section aria-label="Covered messages">
        <h3>
          {covered
            ? `${counted(covered.messages, 'covered message')}, ${count(covered.tokens)} counted tokens`
            : 'No covered message'}
        </h3>
        {ids.length > 0 && (
          <VirtualList
            rows={ids.length}
            rowHeight={24}
            label="IDs of covered messages"
            class="covered"
            show={Math.max(0, ids.indexOf(shown ?? ''))}
            onChoose={(at) => onShow(ids[at] ?? '')}
            render={(at) => (
              <li key={at} class={`log-row ${ids[at] === shown ? 'is-selected' : ''}`}>
                <button
                  type="button"
                  tabIndex={at === Math.max(0, ids.indexOf(shown ?? '')) ? 0 : -1}
                  aria-current={ids[at] === shown ? 'true' : undefined}
                  onClick={() => onShow(ids[at] ?? '')}
                >
                  {ids[at]}
                </button>
              </li>
            )}
          />
        )}
        {shown !== undefined && <Source session={session} message={shown} />}
      </section>
    </div>
  );
};

/** Why a completed compaction shows no summary. */
const NoSummary = ({ native }: { readonly native: string | null }) =>
  native ? (
    <p class="notice">
      <strong>Encrypted.</strong> Only {native} can read the summary of this compaction. The log keeps it as
      it came; its tokens are not counted.
    </p>
  ) : (
    <p class="muted">This compaction has no summary of its own: dropping tool outputs was enough.</p>
  );

/** A source within brackets, as summaries write it: an ID, or several. */
const SOURCE = /\[([\w.:-]{1,200}(?:\s*(?:,|–)\s*[\w.:-]{1,200})*)\]/g;

type CitedProps = {
  readonly text: string;
  readonly known: ReadonlySet<string>;
  readonly unfounded: readonly (string | null)[];
  readonly onShow: (message: string) => void;
};

/** A summary line by line, in which IDs of messages lead to them; lines with an unfounded quote are marked. */
const Cited = ({ text, known, unfounded, onShow }: CitedProps) => (
  <div class="record">
    <Each of={text.split('\n')}>
      {(line) => {
        const ids = [...line.matchAll(SOURCE)].flatMap(([, inner = '']) => inner.split(/\s*(?:,|–)\s*/));
        const isUnfounded = ids.some((id) => unfounded.includes(id)) && line.includes('"');
        return (
          <p class={isUnfounded ? 'unfounded' : /^#+ /.test(line) ? 'record-head' : ''}>
            {isUnfounded && (
              <strong title="A quote of this line is not in the log">⚠ unfounded quote </strong>
            )}
            {linked(line, known, onShow)}
          </p>
        );
      }}
    </Each>
  </div>
);

const linked = (
  line: string,
  known: ReadonlySet<string>,
  onShow: CitedProps['onShow'],
): ComponentChildren[] => {
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const match of line.matchAll(SOURCE)) {
    const inner = match[1] ?? '';
    parts.push(line.slice(from, match.index));
    from = match.index + match[0].length;
    const pieces = inner.split(/(\s*(?:,|–)\s*)/);
    parts.push(
      '[',
      ...pieces.map((piece, at) =>
        at % 2 === 0 && (known.has(piece) || /\d/.test(piece)) ? (
          <button type="button" class="quiet source" onClick={() => onShow(piece)}>
            {piece}
          </button>
        ) : (
          piece
        ),
      ),
      ']',
    );
  }
  parts.push(line.slice(from));
  return parts;
};

const Source = ({ session, message }: { readonly session: string; readonly message: string }) => {
  const stored = useResource(
    (signal) => api().sessions.message(session, message, { signal }),
    [session, message],
  );
  return (
    <Loaded of={stored} what={`message ${message}`}>
      {({ role, revision, countedTokens, content, erased }) => (
        <article class={`message role-${role}`}>
          <p class="message-head">
            <span class="role">{role}</span>{' '}
            <a href={hrefOf(['sessions', session, 'messages', message])}>{message}</a>{' '}
            <span class="muted">
              revision {count(revision)}, {count(countedTokens)} counted tokens
            </span>
          </p>
          {erased && <ErasedNotice erased={erased} />}
          <Blocks content={content as readonly Block[]} />
        </article>
      )}
    </Loaded>
  );
};
