import { type Message, spokenTexts } from '@app/domain';
import { truncate } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';
import { filled } from './prompt-files.js';
import { taskPlaces } from './task-prompt.js';
import { guarded, renderMessage } from './transcript/render-message.js';

/** Limits of the listed user messages, and of the characters that identify each. */
const NAMED_MAX = 60;
const BEGINNING_MAX = 80;
const FIRST_KEPT_MAX = 600;

/** The result, in a request with the task, of a call without one yet: providers require a result before other content. */
export const NO_RESULT_YET = '[This call has not been answered yet.]';

/**
 * Returns the task to append to the session's own request. Repeats nothing of the conversation but the beginnings of
 * user messages.
 */
export const prefixPrompt = (request: SummaryRequest): string => {
  // If the cut splits a turn, its first message is retained too, and precedes the summarized part.
  const first = request.retained[request.splitPrefix > 0 ? 1 : 0] ?? request.retained[0];
  return filled(
    'prefix',
    {
      ...taskPlaces(request),
      range:
        first === undefined
          ? 'Your record is for everything above.\n\n'
          : filled('range', {
              text: renderMessage(first, { toolOutputs: 'summarized', blockMax: FIRST_KEPT_MAX }),
            }),
      ids: idsOf(request.messages),
    },
    request.prompts,
  ).trim();
};

/** Requests contain no message ids: the list lets the summary cite messages. */
const idsOf = (messages: readonly Message[]): string => {
  const lines = messages.flatMap((message) => {
    const beginning = spokenTexts(message).join(' ').replace(/\s+/g, ' ').trim();
    return beginning === '' ? [] : [`- [${message.id}] begins: ${truncate(beginning, BEGINNING_MAX)}`];
  });
  if (lines.length === 0) return '';
  const named = lines.slice(-NAMED_MAX).join('\n').toWellFormed();
  return `The ids of the user's messages, oldest first:\n${guarded(named)}\n\n`;
};
