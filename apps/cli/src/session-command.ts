import { type Actor, Actor as actorOf, SessionId } from '@app/kernel';
import { Command } from 'commander';
import { type CommandNotes, withNotes } from './command-notes.js';
import type { GlobalOptions } from './options.js';
import { print, printJson } from './output/print.js';
import type { Service } from './service/service.js';
import { withService } from './session-run.js';

type Ref = { readonly tenant: GlobalOptions['tenant']; readonly session: SessionId };
/** Result of a command as JSON for programs and as text for people; both have the same facts. */
export type Shown = { readonly json: object; readonly text: string };
export type SessionCall<Options> = {
  readonly ref: Ref;
  readonly options: GlobalOptions & Options;
  /** Arguments after the session. */
  readonly words: readonly string[];
  readonly palimpsest: Service;
  readonly caller: { readonly actor: Actor };
};

/** Defines a command on one session that prints one result. */
export const sessionCommand = <Options extends object>(
  name: string,
  description: string,
  notes: CommandNotes,
  run: (call: SessionCall<Options>) => Promise<Shown>,
): Command =>
  withNotes(new Command(name), notes)
    .description(description)
    .argument('<session>', 'session ID')
    .action((...given: unknown[]) => {
      const command = given.at(-1);
      if (!(command instanceof Command)) throw new TypeError('commander hands the command over last');
      const [session = '', ...words] = command.args;
      const options = command.optsWithGlobals<GlobalOptions & Options>();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      return withService(options, async (palimpsest) => {
        const shown = await run({ ref, options, words, palimpsest, caller: { actor: CLI } });
        if (options.json) printJson(shown.json);
        else print(shown.text);
      });
    });

const CLI = actorOf('cli');
