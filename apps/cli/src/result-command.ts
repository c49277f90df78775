import { type Actor, Actor as actorOf, SessionId } from '@app/kernel';
import type { Palimpsest } from '@app/platform';
import { Command } from 'commander';
import { type CommandNotes, withNotes } from './command-notes.js';
import type { GlobalOptions } from './options.js';
import { note, print, printJson } from './output/print.js';
import type { Service } from './service/service.js';
import { withPalimpsest, withService } from './session-run.js';

type Ref = { readonly tenant: GlobalOptions['tenant']; readonly session: SessionId };
/** Result of a command as JSON for programs and as text for people; both have the same facts. */
export type Shown = {
  readonly json: object;
  readonly text: string;
  /** Printed to stderr after the result. */
  readonly note?: string | undefined;
};
export type SessionCall<Options> = {
  readonly ref: Ref;
  readonly options: GlobalOptions & Options;
  readonly palimpsest: Service;
  readonly caller: { readonly actor: Actor };
};

/** Checks options and parsed arguments before the engine starts, and returns the work on it. */
type Run<Options, Given extends readonly unknown[], Engine> = (
  options: GlobalOptions & Options,
  ...given: Given
) => (engine: Engine) => Promise<Shown>;

/** Defines a command that prints one result. */
export const serviceCommand = <Options extends object = object, Given extends readonly unknown[] = []>(
  name: string,
  description: string,
  notes: CommandNotes,
  run: Run<Options, Given, Service>,
): Command => commandOn(withService, name, description, notes, run);

/** The same for a command that works on the local data folder only. */
export const localCommand = <Options extends object = object, Given extends readonly unknown[] = []>(
  name: string,
  description: string,
  notes: CommandNotes,
  run: Run<Options, Given, Palimpsest>,
): Command => commandOn(withPalimpsest, name, description, notes, run);

/** Defines a command on one session that prints one result; arguments after the session follow the call. */
export const sessionCommand = <Options extends object, Given extends readonly unknown[] = []>(
  name: string,
  description: string,
  notes: CommandNotes,
  run: (call: SessionCall<Options>, ...given: Given) => Promise<Shown>,
): Command =>
  serviceCommand<Options, [string, ...Given]>(name, description, notes, (options, session, ...given) => {
    const ref = { tenant: options.tenant, session: SessionId(session) };
    return (palimpsest) => run({ ref, options, palimpsest, caller: CLI }, ...given);
  }).argument('<session>', 'session ID');

/** The caller of commands that the command line sends. */
export const CLI = { actor: actorOf('cli') };

const commandOn = <Options extends object, Given extends readonly unknown[], Engine>(
  opened: (options: GlobalOptions, work: (engine: Engine) => Promise<void>) => Promise<void>,
  name: string,
  description: string,
  notes: CommandNotes,
  run: Run<Options, Given, Engine>,
): Command =>
  withNotes(new Command(name), notes)
    .description(description)
    .action((...all: unknown[]) => {
      const command = all.at(-1);
      if (!(command instanceof Command)) throw new TypeError('commander hands the command over last');
      const options = command.optsWithGlobals<GlobalOptions & Options>();
      // Commander passes what the parsers of the arguments return.
      const work = run(options, ...(command.processedArgs as unknown as Given));
      return opened(options, async (engine) => {
        const shown = await work(engine);
        if (options.json) printJson(shown.json);
        else print(shown.text);
        if (shown.note !== undefined) note(shown.note);
      });
    });
