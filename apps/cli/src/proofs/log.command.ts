import { ListLogWitnesses, RotateLogKey } from '@app/application';
import { Actor } from '@app/kernel';
import { Command } from 'commander';
import type { GlobalOptions } from '../options.js';
import { print, printJson } from '../output/print.js';
import { withService } from '../session-run.js';
import { witnessesText } from './witnesses-text.js';

/** Defines `palimpsest log …`, about the transparency log of a tenant. */
export const logCommand = (): Command =>
  new Command('log')
    .description("Manage the tenant's transparency log")
    .addCommand(witnessesCommand())
    .addCommand(rotateKeyCommand());

const witnessesCommand = (): Command =>
  new Command('witnesses')
    .description('Show the witnesses of the log and their last cosigned trees')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ queries }) => {
        const found = await queries.execute(new ListLogWitnesses(options.tenant));
        if (options.json) printJson(found);
        else print(witnessesText(found));
      });
    });

const rotateKeyCommand = (): Command =>
  new Command('rotate-key')
    .description('Replace the key that signs the log; older proofs stay valid')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      return withService(options, async ({ commands }) => {
        const rotated = await commands.execute(new RotateLogKey(options.tenant, { actor: Actor('cli') }));
        if (options.json) printJson(rotated);
        else print(rotated.keys.map((key) => `log ${key}`).join('\n'));
      });
    });
