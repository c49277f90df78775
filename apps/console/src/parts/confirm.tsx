import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from './basics.js';
import { Dialog } from './dialog.js';
import { TextField } from './fields.js';

type Props = {
  readonly title: string;
  /** Its effect, said before it is done. */
  readonly children: ComponentChildren;
  readonly action: string;
  /** Asks for a reason, which the audit keeps. */
  readonly withReason?: boolean;
  readonly run: (reason: string) => Promise<unknown>;
  readonly onClose: (isDone: boolean) => void;
};

/** Asks before a change; a refusal stays in the dialog. */
export const Confirm = ({ title, children, action, withReason = false, run, onClose }: Props) => {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await run(reason);
      onClose(true);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      <form onSubmit={(event) => void submit(event)}>
        <div>{children}</div>
        {withReason && (
          <TextField
            title="Reason, for the audit"
            value={reason}
            onValue={setReason}
            required
            maxLength={500}
          />
        )}
        {error !== undefined && <Refusal error={error} />}
        <p class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? 'Working …' : action}
          </button>
          <button type="button" onClick={() => onClose(false)}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
};
