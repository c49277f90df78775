import { type MessageStage, type Provenance, type ProvenanceLink, TraceMessage } from '@app/application';
import { MessageId } from '@app/kernel';
import { type Command, InvalidArgumentError } from 'commander';
import { sessionCommand } from '../managing/session-command.js';

/** `palimpsest provenance SESSION MESSAGE`: which compaction has a message now, or that it stands in full. */
export const provenanceCommand = (): Command =>
  sessionCommand(
    'provenance',
    'show where a message is now: in full, behind a summary, or gone from the context',
    async ({ ref, words: [message = ''], palimpsest }) => {
      const provenance = await palimpsest.queries.execute(new TraceMessage(ref, MessageId(message)));
      return { json: provenance, text: render(provenance) };
    },
  ).argument(
    '<message>',
    'its id, as `palimpsest export` prints it; or the name of pinned content',
    messageId,
  );

const messageId = (text: string): MessageId => {
  try {
    return MessageId(text);
  } catch {
    throw new InvalidArgumentError('not a valid message id');
  }
};

const render = (provenance: Provenance): string =>
  provenance.synthetic
    ? `${place(provenance)}\nit was written by the engine, to continue interrupted work: it is not the user's word`
    : place(provenance);

const place = (provenance: Provenance): string => {
  const { message } = provenance;
  switch (provenance.status) {
    case 'in-full':
      return [
        `${message} stands in full: ${BECAUSE[provenance.because]} (turn ${provenance.turn}, ${provenance.tokens} tokens)`,
        ...provenance.droppedOutputs.map(
          ({ callId, droppedBy }) =>
            `the output of call ${callId} is dropped${droppedBy ? ` by ${droppedBy}` : ''}`,
        ),
        ...provenance.stages.map((stage) => STAGES[stage]),
      ].join('\n');
    case 'covered':
      return [`${message} is in the context through a summary`, ...provenance.chain.map(linkText)].join('\n');
    case 'cleared':
      return [`${message} is not in the context: a reset cleared it`, ...provenance.chain.map(linkText)].join(
        '\n',
      );
    case 'withdrawn':
      return `${message} is not in the context: it went with a compaction that was reverted`;
    case 'pinned':
      return `${message} is no message but pinned: a ${provenance.kind} of ${provenance.tokens} tokens`;
    case 'unknown': {
      const from = provenance.forkedFrom;
      const where = from
        ? `; the session was forked from ${from.sessionId} at revision ${from.revision}`
        : '';
      return `${provenance.session} has no message ${message}${where}`;
    }
  }
};

const STAGES: Readonly<Record<MessageStage, string>> = {
  'offload-results': 'results of it are stored aside: requests show where, with a preview',
  'drop-reasoning': 'requests carry no reasoning of it',
  collapse: 'its turn is collapsed: requests carry a few lines of it',
};

const BECAUSE = {
  'not-compacted': 'nothing has been compacted',
  'after-the-cut': 'it came after the cut of the compaction in force',
  carried: 'it began the turn that the cut splits',
  system: 'it is a part of the system prompt',
} as const;

const DID = {
  covered: 'summarized it',
  folded: 'took that summary into its own',
  'carried-on': 'left that summary as it was',
  cleared: 'cleared the history',
} as const;

const linkText = ({ compactionId, did, revision, covered, isInForce }: ProvenanceLink): string => {
  const range =
    did === 'covered' && covered
      ? `, with ${covered.messages} messages from ${covered.from} to ${covered.to}`
      : '';
  return `  revision ${revision}  ${compactionId} ${DID[did]}${range}${isInForce ? ' (in force)' : ''}`;
};
