import { ReportEdits } from '@app/application';
import type { EditsReported } from '@app/contract';
import { providerEditsFrom } from '@app/formats';
import { AppError, type Json, readJson } from '@app/kernel';
import type { Command } from 'commander';
import { countText } from '../output/value-text.js';
import { sessionCommand } from '../result-command.js';
import { textOfFile } from '../text-of.js';

type Options = { readonly file?: string };

/** Defines `palimpsest report-edits SESSION`, which records content that the provider's context management removed. */
export const reportEditsCommand = (): Command =>
  sessionCommand<Options>(
    'report-edits',
    "Report content that the provider's context management removed",
    {
      details: 'The ID of the answer is recorded too, so that an answer is recorded once.',
      json: '`session`, `edited` and `duplicateCompaction` (fields of `ProviderContextEdited` and `CompactionDuplicated`, or `null`)',
      guide: 'compaction.md#context-management-of-the-provider',
    },
    async ({ ref, options: { file }, palimpsest, caller }) => {
      const answer = answerIn(textOfFile(file ?? 0));
      const reported = await palimpsest.commands.execute(new ReportEdits(ref, { answer }, caller));
      return { json: { session: ref.session, ...reported }, text: rendered(reported) };
    },
  ).option('--file <file>', "file with the provider's answer as JSON, or with its applied_edits; else stdin");

const answerIn = (content: string): Json => {
  const answer = jsonIn(content);
  if (providerEditsFrom(answer)) return answer;
  throw notAnAnswer('it has neither context_management nor content, and is no list of edits');
};

const jsonIn = (content: string): Json => {
  const read = readJson(content);
  if ('value' in read) return read.value;
  throw notAnAnswer(`it ${read.fault}`);
};

const notAnAnswer = (why: string): AppError =>
  new AppError(
    'unknown-format',
    `the input is no answer of Anthropic's messages API (${why}): give the whole answer, or its applied_edits`,
  );

const rendered = ({ edited, duplicateCompaction }: EditsReported): string => {
  if (!edited) return 'nothing was edited, or this answer has been reported before: nothing is recorded';
  const { clearedToolUses, clearedThinkingTurns, clearedInputTokens, compaction } = edited;
  const facts = [
    `${countText(clearedToolUses, 'tool use')} and the thinking of ${countText(clearedThinkingTurns, 'turn')} cleared, ${countText(clearedInputTokens, 'billed token')}`,
    ...(compaction ? ['the provider has compacted on its side'] : []),
    ...(duplicateCompaction
      ? [`beside ${duplicateCompaction.compactionId}, which stays in force: both were paid for`]
      : []),
  ];
  return facts.join('\n');
};
