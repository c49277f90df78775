import { Command } from 'commander';
import { copyCommand } from '../eventstore/copy.command.js';
import { startCommand } from '../eventstore/start.command.js';
import { usersCommand } from '../eventstore/users.command.js';
import { verifyCommand } from '../eventstore/verify.command.js';

/** Defines `palimpsest eventstore …`, which runs and maintains the embedded event store as a server of its own. */
export const eventstoreCommand = (): Command =>
  new Command('eventstore')
    .description('Run, copy and verify the embedded event store')
    .addCommand(startCommand(), { isDefault: true })
    .addCommand(usersCommand())
    .addCommand(verifyCommand())
    .addCommand(copyCommand());
