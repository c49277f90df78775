import { fileOperationsOf, type Message, NO_FILE_OPERATIONS } from '@app/domain';
import { CompactionId, Tokens } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { extractiveSummarizer } from './extractive-summarizer.js';

export type AloneRequest = {
  readonly messages: readonly Message[];
  /** Tokens, by the counter. */
  readonly sizeMax: number;
  readonly previousSummary?: string;
  readonly instructions?: string;
};

/** Returns a summarizer for messages without a session, none of which is retained. */
export const summarizerAlone = (counter: TokenCounter) => {
  const summarizer = extractiveSummarizer(counter);
  return async ({ messages, sizeMax, ...more }: AloneRequest): Promise<string> => {
    const { text } = await summarizer.summarize(
      {
        compactionId: CompactionId('alone'),
        messages,
        splitPrefix: 0,
        retained: [],
        fileOperations: fileOperationsOf(
          messages.map((message) => ({ message })),
          NO_FILE_OPERATIONS,
        ),
        toolOutputs: 'summarized',
        sizeMax: Tokens(sizeMax),
        ...more,
      },
      new AbortController().signal,
    );
    return text;
  };
};
