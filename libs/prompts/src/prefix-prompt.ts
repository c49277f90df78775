import { type Message, spokenTexts } from '@app/domain';
import { truncate } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';
import { filled } from './prompt-files.js';
import { taskPlaces } from './task-prompt.js';
import { guarded, renderMessage } from './transcript/render-message.js';

/** Messages of the user that are named, and characters by which each is known again. */
const NAMED_MAX = 60;
const BEGINNING_MAX = 80;
const FIRST_KEPT_MAX = 600;

/** The task behind the session's own request: nothing of the conversation is said again but what tells its parts apart. */
export const prefixPrompt = (request: SummaryRequest): string => {
  // Where the cut splits a turn, the message that began it stays as well, and stands before what is summarized of it.
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

/** Requests carry no ids of messages: without them nobody could be quoted. */
const idsOf = (messages: readonly Message[]): string => {
  const lines = messages.flatMap((message) => {
    const beginning = spokenTexts(message).join(' ').replace(/\s+/g, ' ').trim();
    return beginning === '' ? [] : [`- [${message.id}] begins: ${truncate(beginning, BEGINNING_MAX)}`];
  });
  if (lines.length === 0) return '';
  const named = lines.slice(-NAMED_MAX).join('\n').toWellFormed();
  return `The ids of the user's messages, oldest first:\n${guarded(named)}\n\n`;
};
