import { ForkSession } from '@app/application';
import { type AsOf, SessionId } from '@app/kernel';
import type { Command } from 'commander';
import { asOf, sessionId } from '../options.js';
import { countText } from '../output/value-text.js';
import { sessionCommand } from '../result-command.js';

type Options = { readonly at?: AsOf; readonly as?: SessionId };

/** Defines `palimpsest fork SESSION [--at REVISION]`, which opens a session with the context of another. */
export const forkCommand = (): Command =>
  sessionCommand<Options>(
    'fork',
    'Fork a session with its context',
    {
      json: '`session`, `from` (`sessionId`, `revision`), `messages`, `occupancy`',
      examples: ['palimpsest fork SESSION --at 120 --as attempt-2'],
      guide: 'managing-sessions.md#fork',
    },
    async ({ ref, options: { at, as }, palimpsest, caller }) => {
      const name =
        as ?? SessionId(`${ref.session}-fork${at === undefined ? '' : `-${at}`}`.replaceAll('+', '-'));
      const request = { as: name, ...(at !== undefined && { at }) };
      const forked = await palimpsest.commands.execute(new ForkSession(ref, request, caller));
      return {
        json: forked,
        text: `${forked.session} begins with ${countText(forked.messages, 'message')} of ${ref.session} as of revision ${forked.from.revision}: ${forked.occupancy} billed tokens`,
      };
    },
  )
    .option(
      '--at <state>',
      'a revision, a time or the ID of a request whose context to copy (default: now)',
      asOf,
    )
    .option('--as <session>', 'ID of the new session (default: SESSION-fork…)', sessionId);
