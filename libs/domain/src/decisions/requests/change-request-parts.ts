import type { MessageId } from '@app/kernel';
import type { EventData, EventOf, SessionEvent } from '../../session/events.js';
import { type ClientForm, type MessageForm, textChange } from '../../session/request-parts.js';
import type { Decide } from '../commands.js';
import { occupancyAfter } from '../state-after.js';

/** Records system prompt, tools and contributions of the next request that differ from the current ones. */
export const changeRequestParts: Decide<'ChangeRequestParts'> = ({ data }, session) => {
  const { parts } = session;
  const systemPrompt = data.systemPrompt && textChange(parts.systemPrompt, data.systemPrompt);
  const tools = data.tools && textChange(JSON.stringify(parts.tools), data.tools);
  const fixedTokens = data.fixedTokens === parts.fixedTokens ? undefined : data.fixedTokens;
  const isCarried =
    !data.contributions || JSON.stringify(data.contributions.given) === JSON.stringify(parts.contributions);
  const change = {
    ...(systemPrompt && { systemPrompt }),
    ...(tools && { tools }),
    ...(!isCarried && { contributions: data.contributions }),
  };
  if (fixedTokens === undefined || !(systemPrompt || tools)) return recorded(change);
  const event: EventOf<'RequestPartsChanged'> = {
    type: 'RequestPartsChanged',
    data: { ...change, fixedTokens },
  };
  return recorded({ ...event.data, occupancyAfter: occupancyAfter(session, event) });
};

/** Records the client's form of the next request, if it changed. */
export const changeClientForm: Decide<'ChangeClientForm'> = (
  { data: { format, before, separator, after, forms, literal } },
  { parts },
) => {
  const known: ClientForm = parts.client ?? NO_FORM;
  const head = textChange(known.before, before);
  const tail = textChange(known.after, after);
  const messages = changedForms(known.forms, forms);
  const change = {
    ...(head && { before: head }),
    ...(separator !== known.separator && { separator }),
    ...(tail && { after: tail }),
    ...(messages.length > 0 && { forms: messages }),
    ...(literal?.text !== known.literal && { literal: literal ?? null }),
  };
  if (parts.client?.format === format && Object.keys(change).length === 0) return [];
  return recorded({ client: { format, ...change } });
};

const NO_FORM: ClientForm = {
  format: 'anthropic',
  before: '',
  separator: '',
  after: '',
  forms: new Map(),
  literal: undefined,
};

/** Returns new and changed forms, and messages that no longer have one. */
const changedForms = (
  known: ReadonlyMap<MessageId, MessageForm>,
  wanted: ReadonlyMap<MessageId, MessageForm>,
): readonly { readonly messageId: MessageId; readonly form: MessageForm | null }[] => [
  ...[...wanted].flatMap(([messageId, form]) => {
    const before = known.get(messageId);
    const isSame = before === form || (before && JSON.stringify(before) === JSON.stringify(form));
    return isSame ? [] : [{ messageId, form }];
  }),
  ...[...known.keys()].filter((id) => !wanted.has(id)).map((messageId) => ({ messageId, form: null })),
];

const recorded = (data: EventData<'RequestPartsChanged'>): readonly SessionEvent[] =>
  Object.keys(data).length === 0 ? [] : [{ type: 'RequestPartsChanged', data }];
