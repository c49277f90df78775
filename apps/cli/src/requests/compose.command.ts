import { ComposeRequest } from '@app/application';
import {
  type Contribution,
  LADDER_POLICIES,
  type LadderPolicy,
  WIRE_FORMATS,
  type WireFormat,
} from '@app/domain';
import { AppError } from '@app/kernel';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { reason } from '../options.js';
import { note, printJson } from '../output/print.js';
import { sessionCommand } from '../result-command.js';
import { textOrFile } from '../text-of.js';
import { bannerText, composedText, refusalText } from './render-answer.js';

type Options = {
  readonly format: WireFormat;
  readonly override: boolean;
  readonly reason?: string;
  readonly context?: readonly ContextOption[];
  readonly ladder?: LadderPolicy;
};

/**
 * Defines `palimpsest compose SESSION`, which records and prints the next request, or prints the refusal with its
 * remedies.
 */
export const composeCommand = (): Command =>
  sessionCommand<Options>(
    'compose',
    'Compose the next request of a session, or print why it is refused',
    {
      details:
        'Records the request with its digest. A refusal is recorded too and ends with exit code 1. A session at `warning` or above is noted on stderr.',
      json: '`outcome` (`composed` or `refused`) and the fields of the event `RequestComposed` or `RequestRefused`; with a composed request also `banner` and `request`',
      examples: ['palimpsest compose SESSION --format openai-chat --context todo=@todo.md'],
      guide: 'composing.md',
    },
    async ({ ref, options, palimpsest, caller }) => {
      const { format, override, json, ladder, context = [] } = options;
      const contributions = context.map(contributionFrom);
      const request = {
        ...{ format, contributions },
        ...(override && { override: { reason: reasonIn(options) } }),
        ...(ladder && { ladder }),
      };
      const answer = await palimpsest.commands.execute(new ComposeRequest(ref, request, caller));
      if (answer.outcome === 'refused') {
        if (json) printJson(answer);
        throw new AppError('request-refused', refusalText(ref.session, answer));
      }
      if (answer.banner) note(bannerText(ref.session, answer.banner));
      return { json: answer, text: composedText(ref.session, answer) };
    },
  )
    .addOption(new Option('--format <format>', 'provider format').choices(WIRE_FORMATS).default('anthropic'))
    .option('--context <name=text>', 'contribution to this request only; @FILE reads it', contextOption)
    .addOption(
      new Option('--ladder <policy>', "ladder policy of this request (default: the profile's)").choices(
        LADDER_POLICIES,
      ),
    )
    .option('--override', 'let this turn continue although a compaction is required', false)
    .option('--reason <text>', 'why, for the audit; an override needs one', reason);

/**
 * Rejects a reason without an override, which would have no effect; the decision rejects an override without a reason.
 */
const reasonIn = ({ reason }: Options): string => {
  if (reason !== undefined) return reason;
  throw new AppError('invalid-settings', 'an override is recorded with its reason: give --reason TEXT');
};

/** Parsed `--context name=TEXT` or `--context name=@FILE`. */
type ContextOption = { readonly name: string; readonly value: string };

const contextOption = (text: string, before: readonly ContextOption[] = []): readonly ContextOption[] => {
  const at = text.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('give a name and a text, such as todo="call back", or name=@FILE');
  return [...before, { name: text.slice(0, at), value: text.slice(at + 1) }];
};

/** @throws {AppError} `unreadable-file`. */
const contributionFrom = ({ name, value }: ContextOption): Contribution => ({
  name,
  text: textOrFile(value),
});
