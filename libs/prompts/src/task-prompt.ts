import { ownMember } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';
import { filled } from './prompt-files.js';
import { guarded } from './transcript/render-message.js';

/** A conservative number of words per token: models count words better than tokens. */
const WORDS_PER_TOKEN = 0.6;
const WORDS_MIN = 80;

/** The retry prompt for each broken rule. */
const RETRY_PROMPTS: Readonly<Record<string, string>> = {
  oversize: 'again-oversize',
  'no-gain': 'again-oversize',
  'finish-reason': 'again-finish',
  empty: 'again-finish',
  refusal: 'again-finish',
  sections: 'again-sections',
  'unfounded-quote': 'again-quotes',
};

/** Returns the placeholders of the task that both prompt forms share. */
export const taskPlaces = (request: SummaryRequest): Readonly<Record<string, string>> => {
  const { sizeMax, brokenRule, instructions, contextLines = [], fileOperations } = request;
  const again = ownMember(RETRY_PROMPTS, brokenRule ?? '');
  return {
    sections: filled('sections', {}, request.prompts).trim(),
    words: String(Math.max(WORDS_MIN, Math.floor(sizeMax * WORDS_PER_TOKEN))),
    again: again === undefined ? '' : `\n\n${filled(again).trim()}`,
    instructions: paragraph('Further instructions for this record', instructions),
    context: paragraph('Further facts, as data', contextLines.join('\n')),
    files: paragraph('Files that tools have read or changed, as the tool calls say', files(fileOperations)),
  };
};

const PATHS_MAX = 200;
const files = ({ read, modified, deleted = [], renamed = [] }: SummaryRequest['fileOperations']): string =>
  [
    ...deleted.slice(-PATHS_MAX).map((path) => `- deleted: ${path}`),
    ...renamed.slice(-PATHS_MAX).map(({ from, to }) => `- renamed: ${from} -> ${to}`),
    ...modified.slice(-PATHS_MAX).map((path) => `- changed: ${path}`),
    ...read.slice(-PATHS_MAX).map((path) => `- read: ${path}`),
  ].join('\n');

const paragraph = (title: string, text = ''): string =>
  text.trim() === '' ? '' : `${title}:\n${guarded(text.toWellFormed())}\n\n`;
