import { IssueApiKey, type IssuedApiKey, ListApiKeys, RevokeApiKey, RotateApiKey } from '@app/application';
import { KEY_ROLES, type KeyRole } from '@app/domain';
import { Actor, AppError, type IsoTime, KeyId } from '@app/kernel';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type GlobalOptions, instant, seconds } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { withService } from '../session-run.js';

const caller = { actor: Actor('cli') };

/** `palimpsest keys …`: what opens the API for a tenant. */
export const keysCommand = (): Command =>
  new Command('keys')
    .description('issue, list, rotate and revoke API keys of a tenant')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand());

type CreateOptions = GlobalOptions & {
  readonly role: KeyRole;
  readonly label: string;
  readonly expires?: IsoTime;
};
const createCommand = (): Command =>
  new Command('create')
    .description('issue a key; it is shown once')
    .addOption(new Option('--role <role>', 'what it may do').choices(KEY_ROLES).makeOptionMandatory())
    .option('--label <text>', 'what it is for', '')
    .option('--expires <time>', 'when it ends (default: never)', instant)
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>();
      const { tenant, role, label, expires } = options;
      return withService(options, async ({ commands }) => {
        const input = { role, label, expiresAt: expires ?? null };
        show(await commands.execute(new IssueApiKey(tenant, input, caller)), options);
      });
    });

const COLUMNS = ['keyId', 'role', 'state', 'label', 'issuedAt', 'expiresAt', 'lastUsedAt'] as const;
const listCommand = (): Command =>
  new Command('list')
    .description('list the keys, without the keys themselves')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const keys = await queries.execute(new ListApiKeys(options.tenant));
        if (options.json) printJson(keys);
        else if (keys.length === 0) print('no keys yet: `palimpsest keys create --role admin` issues one');
        else
          print(
            table(
              COLUMNS,
              keys.map((key) => COLUMNS.map((column) => key[column] ?? '-')),
            ),
          );
      });
    });

type RotateOptions = GlobalOptions & { readonly overlap: number; readonly expires?: IsoTime };
const rotateCommand = (): Command =>
  new Command('rotate')
    .description('issue a key that takes the place of another one')
    .argument('<key>', 'the id of the old key', keyId)
    .option('--overlap <seconds>', 'for so long both count', seconds, 86_400)
    .option('--expires <time>', 'when the new one ends (default: never)', instant)
    .action((key: KeyId, _, command: Command) => {
      const options = command.optsWithGlobals<RotateOptions>();
      const { tenant, overlap, expires } = options;
      return withService(options, async ({ commands }) => {
        const input = { overlapSeconds: overlap, expiresAt: expires ?? null };
        show(await commands.execute(new RotateApiKey(tenant, key, input, caller)), options);
      });
    });

const revokeCommand = (): Command =>
  new Command('revoke')
    .description('end a key at once')
    .argument('<key>', 'its id', keyId)
    .option('--reason <text>', 'why, for the record', '')
    .action((key: KeyId, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly reason: string }>();
      return withService(options, async ({ commands }) => {
        await commands.execute(new RevokeApiKey(options.tenant, key, options.reason, caller));
        if (options.json) printJson({ keyId: key, state: 'revoked' });
        else print(`key ${key} is revoked`);
      });
    });

const show = (issued: IssuedApiKey, { json }: GlobalOptions): void => {
  if (json) printJson(issued);
  else print(`${issued.key}\nThis is the key, of role ${issued.role}. It is not shown again.`);
};

const keyId = (text: string): KeyId => {
  try {
    return KeyId(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof AppError ? error.message : 'not a valid id');
  }
};
