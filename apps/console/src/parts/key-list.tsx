import { Dialog } from './dialog.js';
import { allKeys } from './keys.js';

/** The keys of the present page. */
export const KeyList = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys of this page" onClose={onClose}>
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
  </Dialog>
);
