import type { KeyRole, ListedKey } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../api.js';
import { Loaded, Time } from '../parts/basics.js';
import { Confirm } from '../parts/confirm.js';
import { useResource } from '../parts/resource.js';

const ROLES: readonly KeyRole[] = ['agent', 'operator', 'auditor', 'admin'];

/** API keys of the tenant, for its admins. */
export const Keys = () => {
  const list = useResource((signal) => api().keys.list({ signal }), []);
  const [asked, setAsked] = useState<'issue' | ListedKey>();
  const [issued, setIssued] = useState<string>();
  const close = (isDone: boolean): void => {
    setAsked(undefined);
    if (isDone) list.reload();
  };
  return (
    <section>
      <h2>API keys</h2>
      <p class="actions">
        <button type="button" onClick={() => setAsked('issue')}>
          Issue a key
        </button>
      </p>
      {issued !== undefined && (
        <p class="notice" role="status">
          The new key, which is not shown again: <code>{issued}</code>{' '}
          <button type="button" onClick={() => setIssued(undefined)}>
            Hide
          </button>
        </p>
      )}
      <Loaded of={list} what="keys">
        {({ keys }) => <Table keys={keys} onRevoke={setAsked} />}
      </Loaded>
      {asked === 'issue' && <Issue onClose={close} onIssued={setIssued} />}
      {asked !== undefined && asked !== 'issue' && (
        <Confirm
          title={`Revoke the key ${asked.prefix}…`}
          action="Revoke"
          withReason
          run={(reason) => api().keys.revoke(asked.keyId, reason)}
          onClose={close}
        >
          <p>Whoever uses it is refused from now on; open streams and exports end. It cannot be undone.</p>
        </Confirm>
      )}
    </section>
  );
};

type TableProps = { readonly keys: readonly ListedKey[]; readonly onRevoke: (key: ListedKey) => void };
const Table = ({ keys, onRevoke }: TableProps) => (
  <div class="scroll" tabIndex={0} role="group" aria-label="API keys">
    <table>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">For</th>
          <th scope="col">Role</th>
          <th scope="col">Permissions</th>
          <th scope="col">State</th>
          <th scope="col">Issued</th>
          <th scope="col">Expires</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span class="hidden-text">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.keyId}>
            <td>
              <code>{key.prefix}…</code>
            </td>
            <td>{key.label}</td>
            <td>{key.role}</td>
            <td>{key.permissions.join(', ') || '–'}</td>
            <td>{key.state}</td>
            <td>
              <Time at={key.issuedAt} />
            </td>
            <td>{key.expiresAt === null ? 'never' : <Time at={key.expiresAt} />}</td>
            <td>{key.lastUsedAt === null ? 'never' : <Time at={key.lastUsedAt} />}</td>
            <td>
              {key.state === 'active' && (
                <button type="button" onClick={() => onRevoke(key)}>
                  Revoke
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

type IssueProps = { readonly onClose: (isDone: boolean) => void; readonly onIssued: (key: string) => void };
const Issue = ({ onClose, onIssued }: IssueProps) => {
  const [role, setRole] = useState<KeyRole>('agent');
  const [label, setLabel] = useState('');
  const [mayRead, setMayRead] = useState(false);
  const run = async (): Promise<void> => {
    const { key } = await api().keys.issue({
      role,
      label,
      ...(mayRead && { permissions: ['content:read'] }),
    });
    onIssued(key);
  };
  return (
    <Confirm title="Issue a key" action="Issue" run={run} onClose={onClose}>
      <label class="field">
        <span>What it is for</span>
        <input
          type="text"
          required
          maxLength={200}
          value={label}
          onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Role</span>
        <select
          value={role}
          onChange={({ currentTarget }) =>
            setRole(ROLES.find((one) => one === currentTarget.value) ?? 'agent')
          }
        >
          {ROLES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={mayRead}
          onChange={({ currentTarget }) => setMayRead(currentTarget.checked)}
        />
        <span>
          May read content (<code>content:read</code>); agents and admins may anyway
        </span>
      </label>
    </Confirm>
  );
};
