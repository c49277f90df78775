import type { ProfileSource } from '@app/client';
import { useState } from 'preact/hooks';
import { api, mayManage } from '../api.js';
import { Confirm } from '../parts/confirm.js';
import { TextField } from '../parts/fields.js';
import { count } from '../parts/text.js';
import type { ViewProps } from './view-props.js';

type Action = 'compact' | 'revert' | 'pin' | 'reset' | 'cancel' | 'release';

const nameOf = (profile: ProfileSource): string =>
  typeof profile === 'string' ? profile : 'the changed profile';

/** Changes to a session, each with its effect said before, and each with the session's revision as it was seen. */
export const Actions = ({
  session,
  view,
  reload,
  profile,
}: ViewProps & { readonly profile?: ProfileSource | undefined }) => {
  const [asked, setAsked] = useState<Action>();
  const [done, setDone] = useState('');
  if (!mayManage.value) return <p class="muted">Your role may look, but not change sessions.</p>;
  if (view.status === 'closed')
    return <p class="muted">The session is closed: it can be read, but not changed.</p>;
  const close = (says: string) => (isDone: boolean) => {
    setAsked(undefined);
    if (!isDone) return;
    setDone(says);
    reload();
  };
  const common = { session, view, profile, close };
  return (
    <div class="actions">
      <button type="button" onClick={() => setAsked('compact')}>
        Compact now{profile !== undefined && ` with ${nameOf(profile)}`}
      </button>
      <button type="button" disabled={view.pivot === null} onClick={() => setAsked('revert')}>
        Revert the newest compaction
      </button>
      <button type="button" onClick={() => setAsked('pin')}>
        Pin a text
      </button>
      <button type="button" onClick={() => setAsked('reset')}>
        Reset
      </button>
      {view.hold && (
        <button type="button" onClick={() => setAsked('release')}>
          Release compactions
        </button>
      )}
      {view.compaction && (
        <button type="button" onClick={() => setAsked('cancel')}>
          Cancel the waiting compaction
        </button>
      )}
      <span role="status">{done}</span>
      {asked && <Question action={asked} {...common} />}
    </div>
  );
};

type QuestionProps = Pick<ViewProps, 'session' | 'view'> & {
  readonly action: Action;
  readonly profile?: ProfileSource | undefined;
  readonly close: (says: string) => (isDone: boolean) => void;
};

const Question = (props: QuestionProps) => {
  const { action, session, view, profile, close } = props;
  const ifMatch = view.revision;
  const occupancy = `The next request takes ${count(view.budget.occupancy)} billed tokens now.`;
  switch (action) {
    case 'compact':
      return (
        <Confirm
          title="Compact this session"
          action="Compact"
          run={() =>
            api().compactions.request(session, { ...(profile !== undefined && { profile }) }, { ifMatch })
          }
          onClose={close('Requested: it appears when it has run.')}
        >
          <p>
            {occupancy} A summary will stand for the older messages in requests; the log keeps all of them. It
            can be reverted.
          </p>
        </Confirm>
      );
    case 'revert':
      return (
        <Confirm
          title={`Revert ${view.pivot}`}
          action="Revert"
          withReason
          run={(reason) =>
            api().compactions.revert(
              session,
              { reason, ...(view.pivot !== null && { compactionId: view.pivot }) },
              { ifMatch },
            )
          }
          onClose={close('Reverted: the earlier context is in force again.')}
        >
          <p>{occupancy} The context is then as if this compaction had never run, and larger.</p>
        </Confirm>
      );
    case 'reset':
      return (
        <Confirm
          title="Reset the context"
          action="Reset"
          withReason
          run={(reason) => api().sessions.reset(session, { confirm: true, reason }, { ifMatch })}
          onClose={close('Reset.')}
        >
          <p>
            {occupancy} Requests will start from the newest input of the user, without a summary. The log
            keeps everything, and a reset can be reverted.
          </p>
        </Confirm>
      );
    case 'release':
      return (
        <Confirm
          title="Release automatic compactions"
          action="Release"
          withReason
          run={(reason) => api().sessions.release(session, reason, { ifMatch })}
          onClose={close('Released.')}
        >
          <p>
            They wait because of {view.hold?.by}: {view.hold?.reason}.
          </p>
        </Confirm>
      );
    case 'cancel':
      return (
        <Confirm
          title="Cancel the compaction"
          action="Cancel it"
          withReason
          run={(reason) =>
            api().compactions.cancel(session, view.compaction?.compactionId ?? '', reason, { ifMatch })
          }
          onClose={close('Cancelled.')}
        >
          <p>
            {view.compaction?.compactionId} is {view.compaction?.status}. The context stays as it is.
          </p>
        </Confirm>
      );
    case 'pin':
      return <PinQuestion {...props} />;
  }
};

const PinQuestion = ({ session, view, close }: QuestionProps) => {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  return (
    <Confirm
      title="Pin a text"
      action="Pin"
      run={() => api().sessions.pin(session, name, { text, kind: 'constraint' }, { ifMatch: view.revision })}
      onClose={close('Pinned: every request carries it.')}
    >
      <p>Every request carries it word for word, and no compaction changes it.</p>
      <TextField title="Name" value={name} onValue={setName} required />
      <label class="field">
        <span>Text</span>
        <textarea
          required
          rows={3}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
    </Confirm>
  );
};
