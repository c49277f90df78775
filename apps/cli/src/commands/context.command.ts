import { GetContext } from '@app/application';
import { WIRE_FORMATS, type WireFormat } from '@app/domain';
import { type AsOf, type RequestId, SessionId } from '@app/kernel';
import { Command, Option } from 'commander';
import { withNotes } from '../command-notes.js';
import { asOf, type GlobalOptions, requestId } from '../options.js';
import { print, printJson } from '../output/print.js';
import { renderContext } from '../output/render-context.js';
import { withService } from '../session-run.js';

type Options = GlobalOptions & {
  readonly format: WireFormat;
  readonly asOf?: AsOf;
  readonly request?: RequestId;
};

/** Defines `palimpsest context SESSION`, which shows the request of the next model call. */
export const contextCommand = (): Command =>
  withNotes(new Command('context'), {
    json: '`format`, `request`, `requestId`, `digestMatches`, `body`, `systemPrompt`, `tools`, `notes`, `violations`, `revision`, `tokens`, `window`, `state`, `pivot`, `retainedFrom`, `retention`',
    examples: [
      'palimpsest context SESSION --as-of 120',
      'palimpsest context SESSION --request req-12-0f3ac5d1e2b4',
    ],
    guide: 'composing.md',
  })
    .description('Show the next request of a session, a past request, or the context at a revision or time')
    .argument('<session>', 'session ID')
    .addOption(new Option('--format <format>', 'provider format').choices(WIRE_FORMATS).default('anthropic'))
    .option('--as-of <state>', 'a revision, a time or the ID of a request', asOf)
    .addOption(
      new Option('--request <id>', 'show this request and check its digest')
        .argParser(requestId)
        .conflicts('asOf'),
    )
    .action((session: string, _, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const ref = { tenant: options.tenant, session: SessionId(session) };
      return withService(options, async ({ queries }) => {
        const view = await queries.execute(
          new GetContext(ref, options.format, options.request ?? options.asOf),
        );
        if (options.json) printJson(view);
        else print(renderContext(session, view));
      });
    });
