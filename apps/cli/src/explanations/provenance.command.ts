import { TraceMessage } from '@app/application';
import type { Provenance, ProvenanceLink, ReasoningPlace } from '@app/contract';
import type { PartRule } from '@app/domain';
import type { MessageId } from '@app/kernel';
import type { Command } from 'commander';
import { messageId } from '../options.js';
import { countText } from '../output/value-text.js';
import { sessionCommand } from '../result-command.js';

/**
 * Defines `palimpsest provenance SESSION MESSAGE`, which shows the compaction that replaced a message, or the parts of
 * it that requests carry.
 */
export const provenanceCommand = (): Command =>
  sessionCommand<object, [MessageId]>(
    'provenance',
    'Show the retention of a message: verbatim, cleared, summarized or dropped',
    {
      details:
        'Shows whether a message is in the context in full, behind a summary, or not at all. Takes IDs of pins too.',
      json: '`session`, `message`, `revision`, `status` and the fields of that status',
      guide: 'audit.md#provenance',
    },
    async ({ ref, palimpsest }, message) => {
      const provenance = await palimpsest.queries.execute(new TraceMessage(ref, message));
      return { json: provenance, text: render(provenance) };
    },
  ).argument(
    '<message>',
    'its id, as `palimpsest export` prints it; or the name of pinned content',
    messageId,
  );

const render = (provenance: Provenance): string =>
  provenance.synthetic
    ? `${place(provenance)}\nit was written by the engine, to continue interrupted work: it is not the user's word`
    : place(provenance);

const place = (provenance: Provenance): string => {
  const { message } = provenance;
  switch (provenance.status) {
    case 'in-full':
    case 'in-part':
    case 'omitted':
      return [
        `${message} ${STANDING[provenance.status]}: ${RULES[provenance.rule] ?? BECAUSE[provenance.reason]} (turn ${provenance.turn}, ${provenance.tokens} counted tokens)`,
        ...provenance.outputs.map(
          ({ callId, rule, droppedBy }) =>
            `the output of call ${callId} is ${OUTPUTS[rule] ?? rule}${droppedBy ? ` by ${droppedBy}` : ''}`,
        ),
        ...reasoningLines(provenance.reasoning),
        ...(provenance.stages.length > 0 ? [`by ${provenance.stages.join(', ')}`] : []),
      ].join('\n');
    case 'covered':
      return [
        `${message} is in the context through a summary`,
        ...provenance.chain.map(linkText),
        ...reasoningLines(provenance.reasoning),
      ].join('\n');
    case 'cleared':
      return [`${message} is not in the context: a reset cleared it`, ...provenance.chain.map(linkText)].join(
        '\n',
      );
    case 'withdrawn':
      return `${message} is not in the context: it went with a compaction that was reverted`;
    case 'pinned':
      return `${message} is no message but pinned: a ${provenance.kind} of ${provenance.tokens} counted tokens`;
    case 'unknown': {
      const from = provenance.forkedFrom;
      const where = from
        ? `; the session was forked from ${from.sessionId} at revision ${from.revision}`
        : '';
      return `${provenance.session} has no message ${message}${where}`;
    }
  }
};

const STANDING = {
  'in-full': 'stands in full',
  'in-part': 'stands in part',
  omitted: 'is left out of requests',
} as const;

/** Reasons for which requests leave out parts of a message. */
const RULES: Partial<Record<PartRule, string>> = {
  snipped: 'it is snipped, and one line stands in the place of old messages',
  collapsed: 'its turn is collapsed, and a few lines stand for it',
  dropped: 'the newest request went down the ladder, and left it out',
};

const OUTPUTS: Partial<Record<PartRule, string>> = {
  offloaded: 'stored aside: requests show where, with a preview',
  cleared: 'cleared: requests show a line in its place',
  pruned: 'pruned: requests show a line in its place',
  dropped: 'dropped',
  masked: 'masked on the ladder, in the newest request',
  cut: 'cut to head and tail on the ladder, in the newest request',
};

const reasoningLines = ({ rule, isDisposable }: ReasoningPlace): readonly string[] => [
  ...(isDisposable ? ['the caller has marked its reasoning as disposable'] : []),
  ...(REASONING[rule] === undefined ? [] : [REASONING[rule]]),
];

const REASONING: Partial<Record<PartRule, string>> = {
  dropped: 'its reasoning is dropped: no request and no summarizer has it',
  omitted: 'requests carry no reasoning of it: its provider would refuse it',
  'cleared-by-provider': 'the provider took its reasoning out of the newest request',
  summarized: 'the summarizer has read its reasoning',
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

const linkText = ({ compactionId, action, revision, covered, isInForce }: ProvenanceLink): string => {
  const range =
    action === 'covered' && covered
      ? `, with ${countText(covered.messages, 'message')} from ${covered.from} to ${covered.to}`
      : '';
  return `  revision ${revision}  ${compactionId} ${DID[action]}${range}${isInForce ? ' (in force)' : ''}`;
};
