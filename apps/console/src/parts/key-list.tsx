import { useEffect, useRef } from 'preact/hooks';
import { allKeys } from './keys.js';

/** The keys of the present page. */
export const KeyList = ({ onClose }: { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="keys-title" onCancel={onClose} onClose={onClose}>
      <h2 id="keys-title">Keys of this page</h2>
      <dl class="keys">
        {allKeys().map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one.replace('Arrow', '')}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
};
