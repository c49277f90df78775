import type { SummaryRequest } from '@app/ports';
import { type Vocabulary, vocabularyOf } from './facts/candidates.js';
import { type Conversation, conversationOf } from './facts/conversation.js';
import { type Focus, focusOn } from './facts/focus.js';
import { type Previous, parsePrevious } from './facts/previous.js';
import { type UserWords, userWordsOf } from './facts/user-words.js';

/** Everything that sections are made of: the request, read once. */
export type Material = {
  readonly request: SummaryRequest;
  readonly covered: Conversation;
  readonly retained: Conversation;
  /** Lines of the covered messages with names, and the uses of those names. */
  readonly vocabulary: Vocabulary;
  readonly previous: Previous;
  /** User text of the covered messages. */
  readonly said: readonly UserWords[];
  readonly focus: Focus;
  /** Length of the longest line of content, in UTF-16 units. */
  readonly lineMax: number;
};

const LINE_MIN = 60;
const LINE_MAX = 300;
/** A sentence of the user may be this much longer than any other line. */
const QUOTE_PER_LINE = 2;

/** Reads `request`. In a small summary lines are short: several must fit. */
export const materialOf = (request: SummaryRequest): Material => {
  const lineMax = Math.max(LINE_MIN, Math.min(LINE_MAX, request.sizeMax));
  const covered = conversationOf(request);
  return {
    request,
    covered,
    vocabulary: vocabularyOf(covered, lineMax),
    retained: conversationOf({
      messages: request.retained,
      toolOutputs: 'summarized',
    }),
    // Lines of an earlier summary may be as long as they were.
    previous: parsePrevious(
      [request.previousSummary ?? '', ...covered.summaries.map(({ text }) => text)].join('\n\n'),
      LINE_MAX,
    ),
    said: userWordsOf(covered.user, QUOTE_PER_LINE * lineMax),
    focus: focusOn([request.instructions ?? '', ...(request.contextLines ?? [])]),
    lineMax,
  };
};
