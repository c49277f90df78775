import { type Apart, DiffContexts } from '@app/application';
import type { CarriedMessage, ChangedMessage, ContextDiff, ContextSide, DiffedMessage } from '@app/contract';
import type { AsOf } from '@app/kernel';
import type { Command } from 'commander';
import { asOf } from '../options.js';
import { type Column, fittingTable } from '../output/fitting-table.js';
import { table } from '../output/table.js';
import { countText } from '../output/value-text.js';
import { sessionCommand } from '../result-command.js';

type Options = { readonly content: boolean };

/** Maximum of printed messages per side; `--json` has all. */
const SHOWN = 20;

/** Defines `palimpsest diff SESSION A B`, which compares the contexts at two revisions. */
export const diffCommand = (): Command =>
  sessionCommand<Options, [AsOf, AsOf]>(
    'diff',
    'Compare the contexts of two revisions of a session',
    {
      json: '`session`, `a`, `b`, `summaryChanged`, `messages`, `droppedOutputs`, `pins`',
      examples: ['palimpsest diff SESSION 120 180'],
      guide: 'audit.md#diff',
    },
    async ({ ref, options: { content }, palimpsest }, a, b) => {
      const query = new DiffContexts(ref, { a, b, content });
      const diff = await palimpsest.queries.execute(query);
      return { json: { session: ref.session, ...diff }, text: render(diff) };
    },
  )
    .argument('<a>', 'first state: a revision, a time or the ID of a request', asOf)
    .argument('<b>', 'second state, before or after the first', asOf)
    .option('--content', 'with --json: include the text of messages and summaries', false);

const render = (diff: ContextDiff): string => {
  const { a, b, summaryChanged, messages, droppedOutputs, pins } = diff;
  const parts = [
    sideText('A', a),
    sideText('B', b),
    summaryChanged ? 'the summary is another one' : 'both begin with the same summary, or both without any',
    ...side('only in A', messages.onlyInA),
    ...side('only in B', messages.onlyInB),
    ...changes(messages.changed),
    ...counts('tool outputs dropped', droppedOutputs, ({ messageId, callId }) => `${messageId}/${callId}`),
    ...counts('pinned', pins, ({ pinId, tokens }) => `${pinId} (${tokens} counted tokens)`),
  ];
  return parts.join('\n');
};

const sideText = (name: string, { revision: at, tokens, messages, summary }: ContextSide): string => {
  const pivot = summary
    ? `behind ${summary.kind} ${summary.compactionId} (${summary.tokens} counted tokens)`
    : 'uncompacted';
  return `${name}  revision ${at}: ${tokens} counted tokens, ${countText(messages, 'message')}, ${pivot}`;
};

const side = (title: string, messages: readonly DiffedMessage[]): readonly string[] => {
  if (messages.length === 0) return ['', `${title}: no messages`];
  const tokens = messages.reduce((sum, message) => sum + message.tokens, 0);
  const rows = messages.slice(0, SHOWN).map((one) => [one.id, one.role, one.turn, one.revision, one.tokens]);
  const more = messages.length - rows.length;
  return [
    '',
    `${title}: ${countText(messages.length, 'message')}, ${tokens} counted tokens`,
    table(['message', 'role', 'turn', 'revision', 'counted'], rows),
    ...(more > 0 ? [`and ${more} more: \`--json\` has them all`] : []),
  ];
};

const CHANGED_COLUMNS: readonly Column<ChangedMessage>[] = [
  { name: 'message', of: ({ id }) => id, cutTo: 12 },
  { name: 'role', of: ({ role }) => role },
  { name: 'turn', of: ({ turn }) => turn, isNumber: true },
  { name: 'in A', of: ({ a }) => carriedText(a), cutTo: 20 },
  { name: 'in B', of: ({ b }) => carriedText(b), cutTo: 20 },
];

/** Renders messages that both contexts have, but that their requests carry differently. */
const changes = (changed: readonly ChangedMessage[]): readonly string[] => {
  if (changed.length === 0) return [];
  const more = changed.length - SHOWN;
  return [
    '',
    `changed between A and B: ${countText(changed.length, 'message')}`,
    fittingTable(CHANGED_COLUMNS, changed.slice(0, SHOWN)),
    ...(more > 0 ? [`and ${more} more: \`--json\` has them all`] : []),
  ];
};

const carriedText = ({ rule, toolOutputs, reasoning, countedTokens }: CarriedMessage): string => {
  const outputs = [...new Set(toolOutputs)].filter((one) => one !== 'verbatim' && one !== rule);
  const thoughts = reasoning === 'none' || reasoning === 'verbatim' || reasoning === rule ? [] : [reasoning];
  const parts = [...outputs.map((one) => `outputs ${one}`), ...thoughts.map((one) => `reasoning ${one}`)];
  return `${[rule, ...parts].join(', ')} (${countedTokens} counted tokens)`;
};

const counts = <Item>(
  title: string,
  { onlyInA, onlyInB }: Apart<Item>,
  nameOf: (item: Item) => string,
): readonly string[] =>
  onlyInA.length + onlyInB.length === 0
    ? []
    : [
        '',
        ...listed(`${title} only in A`, onlyInA.map(nameOf)),
        ...listed(`${title} only in B`, onlyInB.map(nameOf)),
      ];

const listed = (title: string, names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        `${title}: ${names.slice(0, SHOWN).join(', ')}`,
        ...(names.length > SHOWN ? [`and ${names.length - SHOWN} more: \`--json\` has them all`] : []),
      ];
