import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { table } from '../output/table.js';
import { firstOf } from '../service/pages.js';
import { withService } from '../session-run.js';

/** `palimpsest tenants …`: for whoever operates the service. */
export const tenantsCommand = (): Command =>
  new Command('tenants').description('list the tenants of the service').addCommand(listCommand());

const COLUMNS = ['tenant', 'name', 'registeredAt', 'registeredBy'] as const;

const listCommand = (): Command =>
  new Command('list').description('all tenants, in the order of their ids').action((_, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    return withService(options, async (service) => {
      const { items } = await firstOf(service.tenants(), undefined);
      if (options.json) return printJson(items);
      print(
        table(
          COLUMNS,
          items.map((tenant) => COLUMNS.map((column) => tenant[column])),
        ),
      );
    });
  });
