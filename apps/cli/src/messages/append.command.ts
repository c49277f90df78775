import { AppendConversation, FindSubjects, type MessageDraft } from '@app/application';
import type { Usage } from '@app/domain';
import { AppError, type RequestId } from '@app/kernel';
import type { Command } from 'commander';
import { note } from '../output/print.js';
import { countText } from '../output/value-text.js';
import { bannerText } from '../requests/render-answer.js';
import { sessionCommand } from '../result-command.js';
import { subjectNames } from '../tenants/erase.command.js';
import { textOfFile } from '../text-of.js';
import { compactionText, endedCompaction } from './ended-compaction.js';
import { readMessages } from './read-messages.js';
import { requestIdFrom, usageFrom } from './usage-option.js';

type Options = {
  readonly usage?: Usage;
  readonly request?: RequestId;
  readonly completeTurn?: string | true;
  readonly disposableReasoning: boolean;
  readonly subject: readonly string[];
};

/** Defines `palimpsest append SESSION [FILE]`, which appends messages from a file or the standard input. */
export const appendCommand = (): Command =>
  sessionCommand<Options, [string | undefined]>(
    'append',
    'Append messages to a session and check its budget',
    {
      details:
        'Reads messages from a file, or from the standard input without one or with -, and checks the budget. Messages at the end of the session already are not appended twice.',
      json: '`session`, `appended`, `known` (messages that the session had already), `messages` (of the whole session), `turn`, `occupancy`, `window`, `state`, `compaction` (`compactionId` and `outcome`, or `null`)',
      examples: ['palimpsest append main messages.json --complete-turn'],
      guide: 'managing-sessions.md#messages',
    },
    async (call, file = '-') => {
      const { ref, options, palimpsest, caller } = call;
      const source = file === '-' ? 'the standard input' : file;
      const read = readMessages(textOfFile(file === '-' ? 0 : file), source);
      const { usage, request, completeTurn, disposableReasoning } = options;
      const subjects = await palimpsest.queries.execute(new FindSubjects(ref.tenant, options.subject));
      const owned = subjects.length > 0 ? read.map((message) => ({ ...message, subjects })) : read;
      const messages = disposableReasoning ? owned.map(withDisposableReasoning) : owned;
      if (request !== undefined && !usage) {
        throw new AppError(
          'invalid-settings',
          '--request names the request that usage pays for: give --usage too',
        );
      }
      const conversation = {
        messages,
        ...(usage && { usage: { ...usage, ...(request !== undefined && { requestId: request }) } }),
        ...(completeTurn !== undefined && { stopReason: completeTurn === true ? 'end_turn' : completeTurn }),
      };
      const answer = await palimpsest.commands.execute(new AppendConversation(ref, conversation, caller));
      const { compactionId, ...appended } = answer;
      const compaction = await endedCompaction(call, compactionId);
      if (appended.banner && !compaction) note(bannerText(ref.session, appended.banner));
      const { appended: news, known, turn, occupancy, window } = appended;
      return {
        json: { session: ref.session, ...appended, compaction },
        text: `${ref.session}: ${countText(news, 'message')} appended${known === 0 ? '' : `, ${known} already recorded`}; turn ${turn}, ${occupancy} of ${window === 0 ? 'unlimited' : window} billed tokens${compactionText(compaction)}`,
      };
    },
  )
    .argument('[file]', 'messages: a JSON object per line, or an array; - reads stdin')
    .option('--usage <tokens>', 'bill of the last assistant message among them: input=…,output=…', usageFrom)
    .option('--request <id>', 'the billed request: its ID from compose', requestIdFrom)
    .option(
      '--disposable-reasoning',
      'omit the reasoning of these assistant messages from requests and summarizers after their turn',
      false,
    )
    .option('--subject <name>', 'data subject of the messages; may be repeated', subjectNames, [])
    .option(
      '--complete-turn [reason]',
      'end the turn with these messages, for this reason (default: end_turn)',
    );

const withDisposableReasoning = (message: MessageDraft): MessageDraft =>
  message.role === 'assistant' ? { ...message, reasoning: 'disposable' } : message;
