import type { ContextView } from '@app/contract';
import { historyIn } from '@app/domain';
import { isJsonObject, type JsonObject, truncate } from '@app/kernel';

const SHOWN = 160;

/** Renders a context: sizes, then one or two lines per message. */
export const renderContext = (session: string, view: ContextView): string => {
  const { tokens, window, state, pivot, retainedFrom, retention, revision } = view;
  const share = window === 0 ? '' : ` (${Math.round((tokens / window) * 100)} %)`;
  const head = [
    `session   ${session}, revision ${revision}`,
    `billed    ${tokens} tokens of ${window === 0 ? 'an unlimited window' : window}${share}, ${state}`,
    `pivot     ${pivot ?? 'none: nothing has been compacted'}`,
    ...(retainedFrom ? [`kept from ${retainedFrom}`] : []),
    ...requestLines(view),
    `system    ${oneLine(view.systemPrompt) || 'no system prompt'}`,
    `tools     ${toolNames(view.tools)}`,
    `turns     ${turnsText(retention)}`,
  ];
  return [...head, '', ...messagesIn(view)].join('\n');
};

/** The service omits the request for keys that may not read content. */
const messagesIn = (view: Partial<Pick<ContextView, 'request'>>): readonly string[] =>
  view.request === undefined
    ? ['the messages are withheld: the key lacks the permission content:read']
    : [...historyIn(view.request).map(messageLine), '', '`--json` prints the exact body.'];
/** Counts the turns per rule; for retained turns also the requests that leave out parts of them. */
const turnsText = (retention: ContextView['retention']): string => {
  const counts = new Map<string, number>();
  for (const { rule, toolOutputs, reasoning } of retention) {
    const isCovered = rule === 'summarized' || rule === 'split';
    const less = isCovered
      ? []
      : [...lessOf('outputs', toolOutputs, rule), ...lessOf('reasoning', reasoning, rule)];
    const words = [rule, ...less].join(' with ');
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => `${count} ${words}`).join(', ') || 'none';
};

const lessOf = (kind: string, part: string, rule: string): readonly string[] =>
  part === 'none' || part === 'verbatim' || part === rule ? [] : [`${kind} ${part}`];

const requestLines = ({ requestId, digestMatches }: ContextView): readonly string[] => {
  if (requestId === null) return [];
  const verdict = digestMatches
    ? 'digest matches: the same bytes as sent'
    : 'digest does not match: this version writes the request otherwise than the one that sent it';
  return [`request   ${requestId}, ${verdict}`];
};

const toolNames = (tools: ContextView['tools']): string => {
  const names = tools.map((tool) => {
    const named = isJsonObject(tool.function) ? tool.function.name : (tool.name ?? tool.type);
    return typeof named === 'string' ? named : 'unnamed';
  });
  return names.length === 0 ? 'none' : `${names.length}: ${truncate(names.join(', '), SHOWN)}`;
};

const messageLine = (message: unknown): string => {
  if (!isJsonObject(message)) return '';
  if (message.role === undefined) return itemLine(message);
  const { role, content, tool_calls: calls } = message;
  const parts = Array.isArray(content)
    ? content.map(partText)
    : [typeof content === 'string' ? oneLine(content) : ''];
  const called = Array.isArray(calls) ? calls.map(() => '[tool call]') : [];
  return `${String(role).padEnd(9)} ${[...parts, ...called].filter(Boolean).join('\n          ')}`;
};

/** Renders an item of the Responses API that is not a message. */
const itemLine = ({ type, name, output }: JsonObject): string => {
  const kind = String(type);
  if (kind.endsWith('_output'))
    return `${'tool'.padEnd(9)} [result] ${oneLine(typeof output === 'string' ? output : '')}`;
  return `${'assistant'.padEnd(9)} [${typeof name === 'string' ? `calls ${name}` : kind}]`;
};

const partText = (part: unknown): string => {
  if (!isJsonObject(part)) return '';
  if (typeof part.text === 'string') return oneLine(part.text);
  if (part.type === 'tool_use') return `[calls ${String(part.name)}]`;
  if (part.type === 'tool_result')
    return `[result] ${oneLine(typeof part.content === 'string' ? part.content : '')}`;
  return `[${String(part.type)}]`;
};

const oneLine = (text: string): string => truncate(text.replace(/\s+/g, ' ').trim(), SHOWN);
