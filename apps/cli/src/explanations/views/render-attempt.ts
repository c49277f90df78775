import type { ExplainedAttempt } from '@app/contract';
import { costText, countText } from '../../output/value-text.js';

/** Renders an attempt on a few lines: summarizer, input and result. */
export const attemptText = (one: ExplainedAttempt): string => {
  const { summarizer, error, usage, cost, oversize, noGain, reasoning, retryAt, inputHash, contextLines } =
    one;
  const model = summarizer.model === undefined ? '' : `, model ${summarizer.model}`;
  const kind = summarizer.deterministic ? 'deterministic' : 'not deterministic';
  return [
    `attempt ${one.attempt} by ${one.worker} at ${one.at}: ${OUTCOMES[one.outcome]}`,
    ...(error
      ? [`  error      ${error.detail} [${error.rule}]${error.permanent ? ', not retried' : ''}`]
      : []),
    ...(retryAt ? [`  retry      not before ${retryAt}`] : []),
    ...(reasoning
      ? [
          `  reasoning  ${reasoning.marks} marks of it were taken out, ${reasoning.blocks} covered blocks are quoted as text`,
        ]
      : []),
    ...(oversize
      ? [`  oversize   ${oversize.tokens} counted tokens, at most ${oversize.countedLimit} allowed`]
      : []),
    ...(noGain
      ? [
          `  no gain    ${noGain.countedBefore} counted tokens became ${noGain.countedAfter}, at most ${noGain.countedLimit} allowed`,
        ]
      : []),
    `  summarizer ${summarizer.name}${model}, prompt version ${summarizer.promptVersion}, ${kind}`,
    `  input      ${countText(one.coveredMessages, 'message')}, ${one.coveredTokens} counted tokens, SHA-256 ${inputHash || 'none'}`,
    ...(contextLines > 0 ? [`  told       ${countText(contextLines, 'line')} of context by hooks`] : []),
    usage
      ? `  billed     input ${usage.inputTokens}, cache read ${usage.cacheReadTokens}, cache write ${usage.cacheWriteTokens}, output ${usage.outputTokens}`
      : '  billed     nothing reported',
    ...(cost ? [`  cost       ${costText(cost)}`] : []),
  ].join('\n');
};

const OUTCOMES: Readonly<Record<ExplainedAttempt['outcome'], string>> = {
  completed: 'completed',
  failed: 'failed',
  running: 'under way',
  'given-up': 'given up',
};
