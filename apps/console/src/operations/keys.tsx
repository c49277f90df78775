import type { KeyRole, ListedKey } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../api.js';
import { Loaded, Time } from '../parts/basics.js';
import { Confirm } from '../parts/confirm.js';
import { ChoiceField, TextField, Tick } from '../parts/fields.js';
import { useResource } from '../parts/resource.js';
import { type Column, Table } from '../parts/table.js';

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
        {({ keys }) =>
          keys.length === 0 ? (
            <p class="muted">None is issued; the key of the settings is not listed.</p>
          ) : (
            <Table label="API keys" rows={keys} keyOf={({ keyId }) => keyId} columns={columnsOf(setAsked)} />
          )
        }
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
          <p>
            Requests with it are refused from now on; open streams and exports end. This cannot be undone.
          </p>
        </Confirm>
      )}
    </section>
  );
};

const columnsOf = (onRevoke: (key: ListedKey) => void): readonly Column<ListedKey>[] => [
  { title: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
  { title: 'For', cell: ({ label }) => label },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Permissions', cell: ({ permissions }) => permissions.join(', ') || '–' },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Issued', cell: ({ issuedAt }) => <Time at={issuedAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => timeOrNever(expiresAt) },
  { title: 'Last used', cell: ({ lastUsedAt }) => timeOrNever(lastUsedAt) },
  {
    title: 'Revoke',
    isTitleHidden: true,
    cell: (key) =>
      key.state === 'active' && (
        <button type="button" onClick={() => onRevoke(key)}>
          Revoke
        </button>
      ),
  },
];

const timeOrNever = (at: string | null) => (at === null ? 'never' : <Time at={at} />);

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
      <TextField title="Purpose" value={label} onValue={setLabel} required maxLength={200} />
      <ChoiceField
        title="Role"
        value={role}
        options={ROLES}
        onValue={(value) => setRole(ROLES.find((one) => one === value) ?? 'agent')}
      />
      <Tick isTicked={mayRead} onTick={setMayRead}>
        May read content (<code>content:read</code>); agents and admins may anyway
      </Tick>
    </Confirm>
  );
};
