import { type CommandOf, continuationOf, frameSummary, type SummaryOutcome } from '@app/domain';
import { CompactionId, Tokens } from '@app/kernel';
import { SESSION, SUMMARIZER } from './commands.js';
import { BLOCK_TOKENS, counted, MESSAGE_TOKENS, tokensIn } from './count.js';
import { filler } from './messages.js';

/** A summary that passes every check, with `words` after its headings. */
export const goodSummary = (words = 'the work goes on'): string => `## Goal\n${words}\n## State\n${words}`;

/** A summary that passes every check except for size: `tokens` including its frame. */
export const summaryOfSize = (tokens: number, compactionId = 'c1'): string => {
  const around = frameSummary(goodSummary(''), CompactionId(compactionId)).length;
  return goodSummary('').replace('\n## State', () => `${filler((tokens - FRAMING) * 4 - around)}\n## State`);
};
const FRAMING = MESSAGE_TOKENS + BLOCK_TOKENS;

/** A scripted outcome of a summarizer. */
export type ScriptedSummary = Partial<SummaryOutcome>;

/** Completes an attempt; `summary: null` if the plan required none. */
export const complete = (
  compactionId = 'c1',
  { attempt = 1, summary = {} }: { attempt?: number; summary?: ScriptedSummary | null } = {},
): CommandOf<'CompleteCompaction'> => ({
  type: 'CompleteCompaction',
  data: {
    sessionId: SESSION,
    compactionId: CompactionId(compactionId),
    attempt,
    worker: 'w1',
    summary: summary && countedSummary(summary, compactionId),
    summarizer: SUMMARIZER,
    durationMs: 7,
    continuation: counted(continuationOf(CompactionId(compactionId))),
  },
});

const countedSummary = (
  { text = goodSummary(), finish = 'stop' }: ScriptedSummary,
  compactionId: string,
): CommandOf<'CompleteCompaction'>['data']['summary'] => ({
  text,
  finish,
  tokens: Tokens(tokensIn(text)),
  framedTokens: Tokens(FRAMING + tokensIn(frameSummary(text, CompactionId(compactionId)))),
});
