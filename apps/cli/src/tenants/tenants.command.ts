import { RegisterTenant, ShowTenant } from '@app/application';
import { TenantId } from '@app/kernel';
import type { ListedTenant } from '@app/ports';
import { Command, InvalidArgumentError } from 'commander';
import { withNotes } from '../command-notes.js';
import { type GlobalOptions, parser } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { table } from '../output/table.js';
import { CLI, serviceCommand } from '../result-command.js';
import { firstOf } from '../service/pages.js';
import { withService } from '../session-run.js';
import { handOut } from './keys.command.js';

const KEY =
  '`tenant`, `key` (with --key-file `keyFile`), `keyId`, `role`, `permissions`, `prefix`, `label`, `expiresAt`';

/** Defines `palimpsest tenants …`, with which operators manage tenants. */
export const tenantsCommand = (): Command =>
  new Command('tenants')
    .description('List, show and add tenants')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(addCommand());

const COLUMNS: readonly Column<ListedTenant>[] = [
  { name: 'tenant', of: ({ tenant }) => tenant },
  { name: 'name', of: ({ name }) => name, cutTo: 12 },
  { name: 'registeredAt', of: ({ registeredAt }) => registeredAt },
  { name: 'registeredBy', of: ({ registeredBy }) => registeredBy, cutTo: 10 },
];

const listCommand = (): Command =>
  serviceCommand(
    'list',
    'List tenants by ID',
    {
      details: 'Over HTTP for operators and admins of the tenant `default`.',
      json: 'array of `tenant`, `name`, `registeredAt`, `registeredBy`, `limits`',
      guide: 'tenants.md',
    },
    () => async (service) => {
      const { items } = await firstOf(service.tenants(), undefined);
      return { json: items, text: fittingTable(COLUMNS, items) };
    },
  );

const showCommand = (): Command =>
  serviceCommand<object, [TenantId]>(
    'show',
    'Show a tenant and its limits',
    { json: 'fields of `tenants list`' },
    (_, id) =>
      async ({ queries }) => {
        const { limits, ...tenant } = await queries.execute(new ShowTenant(id));
        const fields = Object.entries({ ...tenant, ...limits });
        return { json: { ...tenant, limits }, text: table(['field', 'value'], fields) };
      },
  ).argument('<id>', 'tenant ID', tenantId);

type AddOptions = GlobalOptions & { readonly name?: string; readonly keyFile?: string };
const addCommand = (): Command =>
  withNotes(new Command('add'), {
    details: 'Over HTTP for admins of the tenant `default`.',
    json: `${KEY}`,
    examples: ['palimpsest tenants add acme --name "Acme Inc." --key-file acme.key'],
    guide: 'tenants.md',
  })
    .description('Register a tenant; the key of its first admin is printed once')
    .argument('<id>', 'tenant ID: letters, digits and _, at most 64', tenantId)
    .option('--name <text>', 'name for people (default: the ID)', tenantName)
    .option('--key-file <file>', 'write the key to this new file (mode 0600) instead of printing it')
    .action((id: TenantId, _, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>();
      const { tenant, name = id } = options;
      return withService(options, ({ commands }) =>
        handOut(options, () => commands.execute(new RegisterTenant(id, name, tenant, CLI))),
      );
    });

const tenantId = parser(TenantId);

/** Maximum length of a tenant's name in characters. */
const NAME_MAX = 200;
const tenantName = (text: string): string => {
  if (text.length > 0 && text.length <= NAME_MAX) return text;
  throw new InvalidArgumentError(`give 1 to ${NAME_MAX} characters`);
};
