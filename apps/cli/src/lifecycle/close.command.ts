import { CloseSession } from '@app/application';
import type { Command } from 'commander';
import { reason } from '../options.js';
import { sessionCommand } from '../result-command.js';

type Options = { readonly reason: string };

/** Defines `palimpsest close SESSION`, after which the session rejects appends. */
export const closeCommand = (): Command =>
  sessionCommand<Options>(
    'close',
    'Close a session; it stays readable',
    {
      details: 'A closed session can be read, exported and forked, but not continued.',
      json: '`session`, `closed`',
    },
    async ({ ref, options, palimpsest, caller }) => {
      await palimpsest.commands.execute(new CloseSession(ref, options.reason, caller));
      return { json: { session: ref.session, closed: true }, text: `${ref.session} is closed` };
    },
  ).option('--reason <text>', 'why, for the audit', reason, 'asked for on the command line');
