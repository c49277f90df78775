import { open, rm } from 'node:fs/promises';
import {
  IssueApiKey,
  type IssuedApiKey,
  ListApiKeys,
  type ListedApiKey,
  RevokeApiKey,
  RotateApiKey,
} from '@app/application';
import { KEY_PERMISSIONS, KEY_ROLES, type KeyPermission, type KeyRole } from '@app/domain';
import { AppError, type IsoTime, KeyId } from '@app/kernel';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, instant, parser, seconds } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { note, print, printJson } from '../output/print.js';
import { ageText, timeText } from '../output/value-text.js';
import { CLI, serviceCommand } from '../result-command.js';
import { withService } from '../session-run.js';

const KEY =
  '`tenant`, `key` (with --key-file `keyFile`), `keyId`, `role`, `permissions`, `prefix`, `label`, `expiresAt`';

/** Defines `palimpsest keys …`, which manages the API keys of a tenant. */
export const keysCommand = (): Command =>
  new Command('keys')
    .description('Issue, list, rotate and revoke API keys of a tenant')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand());

type AddOptions = GlobalOptions & {
  readonly role: KeyRole;
  readonly permission?: readonly KeyPermission[];
  readonly keyFile?: string;
  readonly label: string;
  readonly expires?: IsoTime;
};
const addCommand = (): Command =>
  withNotes(new Command('add'), {
    details: 'The key is printed once, alone on stdout, and is not stored.',
    json: KEY,
    examples: ['palimpsest keys add --role agent --label ci --expires 2027-01-01'],
    guide: 'tenants.md',
  })
    .description('Issue a key; it is printed once')
    .addOption(new Option('--role <role>', 'role of the key').choices(KEY_ROLES).makeOptionMandatory())
    .addOption(
      new Option('--permission <permission...>', "permissions in addition to the role's").choices(
        KEY_PERMISSIONS,
      ),
    )
    .option('--label <text>', 'purpose of the key', '')
    .option('--expires <time>', 'end of its validity (default: never)', instant)
    .option('--key-file <file>', 'write the key to this new file (mode 0600) instead of printing it')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>();
      const { tenant, role, permission: permissions = [], label, expires } = options;
      return withService(options, ({ commands }) => {
        const input = { role, permissions, label, expiresAt: expires ?? null };
        return handOut(options, () => commands.execute(new IssueApiKey(tenant, input, CLI)));
      });
    });

const columnsAt = (now: Date): readonly Column<ListedApiKey>[] => [
  { name: 'keyId', of: ({ keyId }) => keyId },
  { name: 'role', of: ({ role }) => role },
  { name: 'state', of: ({ state }) => state },
  { name: 'expiresAt', of: ({ expiresAt }) => expiresAt && timeText(expiresAt) },
  { name: 'used', of: ({ lastUsedAt }) => lastUsedAt && ageText(lastUsedAt, now), isNumber: true },
  { name: 'label', of: ({ label }) => label || null, cutTo: 8 },
  { name: 'permissions', of: ({ permissions }) => permissions.join(', ') || null, cutTo: 8 },
  { name: 'issuedAt', of: ({ issuedAt }) => timeText(issuedAt) },
  { name: 'issuedBy', of: ({ issuedBy }) => issuedBy, cutTo: 8 },
];
const listCommand = (): Command =>
  serviceCommand(
    'list',
    'List keys without their secrets',
    {
      json: 'array of `keyId`, `role`, `permissions`, `prefix`, `label`, `expiresAt`, `state` (`active`, `revoked`, `expired`), `issuedAt`, `issuedBy`, `replacedBy`, `rotation`, `revocation`, `lastUsedAt`',
    },
    ({ tenant }) =>
      async ({ queries }) => {
        const keys = await queries.execute(new ListApiKeys(tenant));
        const none = 'no keys yet: `palimpsest keys add --role admin` issues one';
        return { json: keys, text: keys.length === 0 ? none : fittingTable(columnsAt(new Date()), keys) };
      },
  );

type RotateOptions = GlobalOptions & {
  readonly overlap: number;
  readonly expires?: IsoTime;
  readonly keyFile?: string;
};
const rotateCommand = (): Command =>
  withNotes(new Command('rotate'), {
    details: 'The new key has the role, permissions and label of the old one.',
    json: `${KEY}, \`replaces\`, \`validUntil\``,
  })
    .description('Rotate a key; the old key stays valid during the overlap')
    .argument('<key>', 'the id of the old key', keyId)
    .option('--overlap <seconds>', 'seconds during which both keys are valid', seconds, 86_400)
    .option('--expires <time>', 'end of the new key’s validity (default: never)', instant)
    .option('--key-file <file>', 'write the key to this new file (mode 0600) instead of printing it')
    .action((key: KeyId, _, command: Command) => {
      const options = command.optsWithGlobals<RotateOptions>();
      const { tenant, overlap, expires } = options;
      return withService(options, ({ commands }) => {
        const input = { overlapSeconds: overlap, expiresAt: expires ?? null };
        return handOut(options, () =>
          commands.execute(new RotateApiKey(tenant, { keyId: key, ...input }, CLI)),
        );
      });
    });

const revokeCommand = (): Command =>
  serviceCommand<{ readonly reason: string }, [KeyId]>(
    'revoke',
    'Revoke a key immediately',
    { details: 'Takes effect at once, in every process.', json: '`keyId`, `state`' },
    ({ tenant, reason }, key) =>
      async ({ commands }) => {
        await commands.execute(new RevokeApiKey(tenant, { keyId: key, reason }, CLI));
        return { json: { keyId: key, state: 'revoked' }, text: `key ${key} is revoked` };
      },
  )
    .argument('<key>', 'its id', keyId)
    .option('--reason <text>', 'reason, for the audit', '');

/** Prints a newly issued key alone, for scripts; or writes it to a file and prints the other fields. */
export const handOut = async (
  { json, keyFile }: GlobalOptions & { readonly keyFile?: string },
  issue: () => Promise<IssuedApiKey>,
): Promise<void> => {
  const file = keyFile === undefined ? undefined : await newKeyFile(keyFile);
  try {
    const { key, ...rest } = await issue();
    await file?.keep(key);
    if (json) return printJson(file ? { ...rest, keyFile } : { key, ...rest });
    if (file) return print(`key ${rest.keyId}, of role ${rest.role}, is in ${keyFile}`);
    print(key);
    note(`This is the key, of role ${rest.role}. It is not shown again.`);
  } catch (error) {
    await file?.discard();
    throw error;
  }
};

const keyId = parser(KeyId);

/** A file for one API key, created before the key. */
type KeyFile = {
  /** Writes the key and syncs it to disk. */
  keep(key: string): Promise<void>;
  /** Removes the file if no key was issued. */
  discard(): Promise<void>;
};

/**
 * Creates a file of mode 0600 for a key.
 *
 * @throws {AppError} `key-file-unwritable` if the file exists or cannot be created.
 */
const newKeyFile = async (path: string): Promise<KeyFile> => {
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'there is one already' : `it cannot be created (${error.code})`;
    throw new AppError('key-file-unwritable', `no key was issued for ${path}: ${why}. Name a new file`, {
      cause: error,
    });
  });
  let isKept = false;
  return {
    keep: async (key) => {
      await handle.writeFile(`${key}\n`);
      isKept = true;
      await handle.sync();
      await handle.close();
    },
    discard: async () => {
      if (isKept) return;
      await handle.close();
      await rm(path, { force: true });
    },
  };
};
