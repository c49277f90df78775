import { ListSecrets, PutSecret, RemoveSecret } from '@app/application';
import { AppError, SecretName } from '@app/kernel';
import { Command } from 'commander';
import { parser } from '../options.js';
import { table } from '../output/table.js';
import { CLI, serviceCommand } from '../result-command.js';
import { textOfFile } from '../text-of.js';

/** Defines `palimpsest secrets …`, which manages credentials that the service uses for a tenant. */
export const secretsCommand = (): Command =>
  new Command('secrets')
    .description('Store, list and remove secrets of a tenant, such as provider keys')
    .addCommand(setCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());

const setCommand = (): Command =>
  serviceCommand<object, [SecretName, string]>(
    'set',
    'Store or replace a secret; it is never printed',
    {
      json: '`name`, `createdAt`, `changedAt`, `lastUsedAt`',
      examples: ['palimpsest secrets set model-key key.txt'],
      guide: 'tenants.md#secrets',
    },
    ({ tenant }, name, file) => {
      const value = textOfFile(file === '-' ? 0 : file).trim();
      if (value === '') throw new AppError('invalid-settings', 'there is no secret: the input is empty');
      return async ({ commands }) => {
        const kept = await commands.execute(new PutSecret(tenant, { name, value }, CLI));
        return { json: kept, text: `secret ${name} is kept` };
      };
    },
  )
    .argument('<name>', 'its name', secretName)
    // Never an argument: other users of the machine can read arguments, and shells store them.
    .argument('[file]', 'file with only the value; - reads stdin', '-');

const COLUMNS = ['name', 'createdAt', 'changedAt', 'lastUsedAt'] as const;
const listCommand = (): Command =>
  serviceCommand(
    'list',
    'List secrets by name, without values',
    { json: 'array of `name`, `createdAt`, `changedAt`, `lastUsedAt`', guide: 'tenants.md#secrets' },
    ({ tenant }) =>
      async ({ queries }) => {
        const secrets = await queries.execute(new ListSecrets(tenant));
        const rows = secrets.map((secret) => COLUMNS.map((column) => secret[column] ?? '-'));
        const text =
          rows.length === 0
            ? 'no secrets yet: `palimpsest secrets set NAME` stores one'
            : table(COLUMNS, rows);
        return { json: secrets, text };
      },
  );

const removeCommand = (): Command =>
  serviceCommand<object, [SecretName]>(
    'remove',
    'Remove a secret',
    { json: '`name`, `state`' },
    ({ tenant }, name) =>
      async ({ commands }) => {
        await commands.execute(new RemoveSecret(tenant, name, CLI));
        return { json: { name, state: 'removed' }, text: `secret ${name} is removed` };
      },
  ).argument('<name>', 'its name', secretName);

const secretName = parser(SecretName);
