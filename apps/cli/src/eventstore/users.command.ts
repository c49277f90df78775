import type { User, Users } from '@app/embedded-event-store';
import { defined } from '@app/kernel';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import type { GlobalOptions } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { print, printJson } from '../output/print.js';
import { eventStoreFolder } from './folder.js';
import { secretFrom } from './secret.js';

const USERS = 'array of `login`, `fullName`, `groups`, `disabled`, `updatedAt`';

type Options = GlobalOptions & {
  readonly groups?: readonly string[];
  readonly fullName?: string;
  readonly passwordFile?: string;
};
/** Environment variable with the password of an added or changed user; an option names a file instead. */
const PASSWORD = 'PALIMPSEST_USER_PASSWORD';

/** Defines `palimpsest eventstore users …`, which manages the users of a data folder whose server is stopped. */
export const usersCommand = (): Command =>
  new Command('users')
    .description('List and change the users of a stopped event store')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(changeCommand())
    .addCommand(switchCommand('enable', 'let a user in again', false))
    .addCommand(switchCommand('disable', 'let a user in no more', true))
    .addCommand(
      withNotes(new Command('remove'), { json: `${USERS} (remaining users)` })
        .description('Remove a user')
        .argument('<login>', 'name of the user')
        .action((login: string, _, command: Command) =>
          shown(command, async (users) => {
            await users.remove(login);
            return { users: users.list() };
          }),
        ),
    );

const listCommand = (): Command =>
  withNotes(new Command('list'), { json: USERS })
    .description('List users')
    .action((_, command: Command) => shown(command, async (users) => ({ users: users.list() })));

const addCommand = (): Command =>
  withProfile(
    withNotes(new Command('add'), {
      details:
        'Without a password file or PALIMPSEST_USER_PASSWORD a password is generated and printed once.',
      json: `${USERS}, \`generatedPassword\` (if any)`,
    }),
  )
    .description('Add a user')
    .action(async (login: string, _, command: Command) => {
      const { generatePassword } = await import('@app/embedded-event-store');
      const { groups = [], fullName = '', passwordFile } = command.optsWithGlobals<Options>();
      const given = secretFrom(PASSWORD, passwordFile);
      const password = given ?? generatePassword();
      return shown(command, async (users) => {
        await users.create({ login, fullName, groups }, password);
        return { users: [users.get(login)], ...(given === undefined && { generatedPassword: password }) };
      });
    });

const changeCommand = (): Command =>
  withProfile(withNotes(new Command('change'), { details: 'Settings that are not named stay.', json: USERS }))
    .description('Change the groups, full name or password of a user')
    .action((login: string, _, command: Command) => {
      const { groups, fullName, passwordFile } = command.optsWithGlobals<Options>();
      const password = secretFrom(PASSWORD, passwordFile);
      return shown(command, async (users) => {
        const change = defined({ groups, fullName });
        await users.change(login, change);
        if (password !== undefined) await users.setPassword(login, password);
        return { users: [users.get(login)] };
      });
    });

const switchCommand = (name: string, description: string, disabled: boolean): Command =>
  withNotes(new Command(name), { json: USERS })
    .description(description)
    .argument('<login>', 'name of the user')
    .action((login: string, _, command: Command) =>
      shown(command, async (users) => {
        await users.change(login, { disabled });
        return { users: [users.get(login)] };
      }),
    );

const withProfile = (command: Command): Command =>
  command
    .argument('<login>', 'name of the user')
    .option('--groups <groups>', 'groups, with commas between them', (text) =>
      text.split(',').filter(Boolean),
    )
    .option('--full-name <name>', 'name for people')
    .option('--password-file <file>', `file with the password (default: ${PASSWORD})`);

type Shown = { readonly users: readonly User[]; readonly generatedPassword?: string };

const shown = async (command: Command, manage: (users: Users) => Promise<Shown>): Promise<void> => {
  const options = command.optsWithGlobals<Options>();
  const { manageUsers } = await import('@app/embedded-event-store');
  const { users, generatedPassword } = await manageUsers(await eventStoreFolder(options), manage);
  const rows = users.map(({ login, fullName, groups, disabled, updatedAt }) => ({
    login,
    fullName,
    groups,
    disabled,
    updatedAt: new Date(updatedAt).toISOString(),
    ...(generatedPassword !== undefined && { generatedPassword }),
  }));
  if (options.json) return printJson(rows);
  print(fittingTable(COLUMNS, rows));
  if (generatedPassword !== undefined) print(`password, shown this once: ${generatedPassword}`);
};

type Row = {
  readonly login: string;
  readonly fullName: string;
  readonly groups: readonly string[];
  readonly disabled: boolean;
  readonly updatedAt: string;
};
const COLUMNS: readonly Column<Row>[] = [
  { name: 'login', of: ({ login }) => login },
  { name: 'name', of: ({ fullName }) => fullName, cutTo: 12 },
  { name: 'groups', of: ({ groups }) => groups.join(', '), cutTo: 12 },
  { name: 'disabled', of: ({ disabled }) => (disabled ? 'yes' : 'no') },
  { name: 'updatedAt', of: ({ updatedAt }) => `${updatedAt.slice(0, 19)}Z` },
];
