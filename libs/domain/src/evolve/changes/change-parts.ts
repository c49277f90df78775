import { isJsonObject, type Json, type JsonObject, Tokens } from '@app/kernel';
import { partTokens } from '../../budget/calibration/calibration.js';
import type { EventData, EventOf } from '../../session/events.js';
import { type ClientForm, changedText } from '../../session/request-parts.js';
import type { OpenSession } from '../../session/state.js';

/** Applies changed request parts, and adjusts the last bill by their difference in tokens. */
export const changeParts = (state: OpenSession, { data }: EventOf<'RequestPartsChanged'>): OpenSession => {
  const { parts } = state;
  const fixedTokens = data.fixedTokens ?? parts.fixedTokens;
  const after = {
    systemPrompt: data.systemPrompt ? changedText(parts.systemPrompt, data.systemPrompt) : parts.systemPrompt,
    tools: data.tools ? toolsIn(changedText(JSON.stringify(parts.tools), data.tools)) : parts.tools,
    fixedTokens,
    contributions: data.contributions?.given ?? parts.contributions,
    client: data.client ? clientAfter(parts.client, data.client) : parts.client,
  };
  return { ...state, parts: after, usage: usageWith(state, fixedTokens - parts.fixedTokens) };
};

const toolsIn = (text: string): readonly JsonObject[] => {
  const tools: Json = JSON.parse(text);
  return Array.isArray(tools) ? tools.filter(isJsonObject) : [];
};

const usageWith = (state: OpenSession, more: number): OpenSession['usage'] => {
  const { usage } = state;
  if (!usage || more === 0) return usage;
  const size = partTokens(state, Math.abs(more));
  const changed = (tokens: number): Tokens => Tokens(Math.max(0, tokens + Math.sign(more) * size));
  return { ...usage, prompt: changed(usage.prompt), tokens: changed(usage.tokens) };
};

const clientAfter = (
  known: ClientForm | undefined,
  {
    format,
    before,
    separator,
    after,
    forms = [],
    literal,
  }: NonNullable<EventData<'RequestPartsChanged'>['client']>,
): ClientForm => {
  const changed = new Map(known?.forms);
  for (const { messageId, form } of forms) {
    if (form) changed.set(messageId, form);
    else changed.delete(messageId);
  }
  return {
    format,
    before: before ? changedText(known?.before ?? '', before) : (known?.before ?? ''),
    separator: separator ?? known?.separator ?? '',
    after: after ? changedText(known?.after ?? '', after) : (known?.after ?? ''),
    forms: changed,
    literal: literal === undefined ? known?.literal : (literal?.text ?? undefined),
  };
};
