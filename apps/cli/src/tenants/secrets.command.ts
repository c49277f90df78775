import { ListSecrets, PutSecret, RemoveSecret } from '@app/application';
import { Actor, AppError, SecretName } from '@app/kernel';
import { Command } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, parser } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { withService } from '../session-run.js';
import { textOfFile } from '../text-of.js';

const caller = { actor: Actor('cli') };

/** Defines `palimpsest secrets …`, which manages credentials that the service uses for a tenant. */
export const secretsCommand = (): Command =>
  new Command('secrets')
    .description('Store, list and remove secrets of a tenant, such as provider keys')
    .addCommand(setCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());

const setCommand = (): Command =>
  withNotes(new Command('set'), {
    json: '`name`, `createdAt`, `changedAt`, `lastUsedAt`',
    examples: ['palimpsest secrets set model-key key.txt'],
    guide: 'tenants.md#secrets',
  })
    .description('Store or replace a secret; it is never printed')
    .argument('<name>', 'its name', secretName)
    // Never an argument: other users of the machine can read arguments, and shells store them.
    .argument('[file]', 'file with only the value; - reads stdin', '-')
    .action((name: SecretName, file: string, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const value = textOfFile(file === '-' ? 0 : file).trim();
      if (value === '') throw new AppError('invalid-settings', 'there is no secret: the input is empty');
      return withService(options, async ({ commands }) => {
        const kept = await commands.execute(new PutSecret(options.tenant, { name, value }, caller));
        if (options.json) printJson(kept);
        else print(`secret ${name} is kept`);
      });
    });

const COLUMNS = ['name', 'createdAt', 'changedAt', 'lastUsedAt'] as const;
const listCommand = (): Command =>
  withNotes(new Command('list'), {
    json: 'array of `name`, `createdAt`, `changedAt`, `lastUsedAt`',
    guide: 'tenants.md#secrets',
  })
    .description('List secrets by name, without values')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const secrets = await queries.execute(new ListSecrets(options.tenant));
        const rows = secrets.map((secret) => COLUMNS.map((column) => secret[column] ?? '-'));
        if (options.json) printJson(secrets);
        else if (secrets.length === 0) print('no secrets yet: `palimpsest secrets set NAME` stores one');
        else print(table(COLUMNS, rows));
      });
    });

const removeCommand = (): Command =>
  withNotes(new Command('remove'), { json: '`name`, `state`' })
    .description('Remove a secret')
    .argument('<name>', 'its name', secretName)
    .action((name: SecretName, _, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ commands }) => {
        await commands.execute(new RemoveSecret(options.tenant, name, caller));
        if (options.json) printJson({ name, state: 'removed' });
        else print(`secret ${name} is removed`);
      });
    });

const secretName = parser(SecretName);
