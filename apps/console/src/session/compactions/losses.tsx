import type { CompactionExplanation } from '@app/client';
import { mayReadContent } from '../../api.js';
import { count, counted } from '../../parts/text.js';

type Props = {
  readonly session: string;
  readonly value: CompactionExplanation;
  /** Shows a message beside the summary. */
  readonly onShow: (message: string) => void;
};

const KINDS = { paths: 'Paths', errors: 'Errors', identifiers: 'Identifiers', numbers: 'Numbers' } as const;

/** The lost facts by name, each with the last message that contained it. */
export const Losses = ({ value: { lost, verified }, onShow }: Props) => {
  const missing = verified?.fidelity?.missingKeys ?? 0;
  if (!mayReadContent.value)
    return <p class="muted">{counted(missing, 'lost fact')}: the names are text, which is hidden here.</p>;
  if (!lost) return <p class="muted">The losses of this compaction were not measured.</p>;
  if (lost.names.length + lost.directives.length === 0) return <p>Nothing that is measured was lost.</p>;
  const source = (message: string) => (
    <button type="button" class="quiet" onClick={() => onShow(message)}>
      {message}
    </button>
  );
  return (
    <details class="losses" open={lost.names.length <= 40}>
      <summary>
        <h3>
          Lost by name: {counted(lost.names.length + lost.unlisted, 'fact')} and{' '}
          {counted(lost.directives.length, 'directive')}
        </h3>
      </summary>
      <p class="muted">
        Each was in the messages that were compacted, and is neither in the summary nor in the messages that
        stayed. The summary had no room for it; the log still has it.
      </p>
      {lost.directives.length > 0 && (
        <>
          <h4>Directives of the user</h4>
          <ul>
            {lost.directives.map(({ messageId, sentence }) => (
              <li key={`${messageId} ${sentence}`}>
                “{sentence}” {source(messageId)}
              </li>
            ))}
          </ul>
        </>
      )}
      {Object.entries(KINDS).map(([kind, title]) => {
        const names = lost.names.filter((one) => one.kind === kind);
        return (
          names.length > 0 && (
            <div key={kind}>
              <h4>
                {title} ({count(names.length)})
              </h4>
              <p class="names">
                {names.map(({ name, messageId }) => (
                  <span key={`${name} ${messageId}`}>
                    <code>{name}</code> {source(messageId)}
                  </span>
                ))}
              </p>
            </div>
          )
        );
      })}
      {lost.unlisted > 0 && (
        <p class="muted">And {count(lost.unlisted)} that weigh less and are not listed.</p>
      )}
    </details>
  );
};
