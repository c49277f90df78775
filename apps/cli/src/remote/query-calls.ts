import {
  DiffContexts,
  ExplainCompaction,
  FindSubjects,
  GetContext,
  GetLimits,
  GetRetentionDefaults,
  GetSummarizers,
  ListApiKeys,
  ListErasures,
  ListLogWitnesses,
  ListModels,
  ListOwnPrompts,
  ListSecrets,
  ListWebhooks,
  PlanCompaction,
  ReadMessage,
  SearchMessages,
  ShowErasure,
  ShowModel,
  ShowOwnPrompt,
  ShowProtection,
  ShowSession,
  ShowTenant,
  TraceMessage,
  VerifyLive,
  WhatIf,
} from '@app/application';

import type { PalimpsestClient } from '@app/client';
import type { SubjectRef } from '@app/kernel';
import { type Mapping, mapped } from './remote-bus.js';

/** Maps every query that the command line sends to a call of the client. */
export const queryCalls = ({
  sessions,
  compactions,
  models,
  secrets,
  erasures,
  keys,
  summarizers,
  webhooks,
  retention,
  log,
}: PalimpsestClient): readonly Mapping[] => [
  mapped(GetContext, ({ ref, format, asOf }) =>
    sessions.context(ref.session, { format, ...(asOf !== undefined && { asOf }) }),
  ),
  mapped(DiffContexts, ({ ref, input: { a, b, content } }) => sessions.diff(ref.session, a, b, { content })),
  mapped(TraceMessage, ({ ref, input: message }) => sessions.provenance(ref.session, message)),
  mapped(
    ReadMessage,
    ({
      ref,
      input: {
        message,
        part: { range, ...part },
      },
    }) =>
      sessions.message(ref.session, message, {
        ...part,
        ...(range?.unit === 'lines' && { line: range.from, lines: range.count }),
        ...(range?.unit === 'bytes' && { byte: range.from, bytes: range.count }),
      }),
  ),
  mapped(SearchMessages, ({ ref, input: { text, ...options } }) =>
    sessions.search(ref.session, text, options),
  ),
  mapped(ShowSession, ({ ref }) => sessions.get(ref.session)),
  mapped(ExplainCompaction, ({ ref, input: compactionId }) => compactions.explain(ref.session, compactionId)),
  mapped(ListModels, () => models.list()),
  mapped(ShowModel, ({ input: model }) => models.show(model)),
  mapped(PlanCompaction, ({ ref, input: profile }) =>
    compactions.plan(ref.session, profile === undefined ? {} : { profile }),
  ),
  mapped(WhatIf, ({ ref, input: profiles }) => compactions.whatIf(ref.session, profiles)),
  mapped(GetLimits, () => keys.limits()),
  mapped(ShowTenant, ({ tenant }) => keys.tenant(tenant)),
  mapped(GetRetentionDefaults, () => retention.defaults()),
  mapped(ShowProtection, ({ ref }) => retention.get(ref.session)),
  mapped(GetSummarizers, () => summarizers.show()),
  mapped(ListOwnPrompts, async () => (await summarizers.ownPrompts()).prompts),
  mapped(ShowOwnPrompt, ({ input: wanted }) => {
    const [name = '', version] = wanted.split('@');
    return summarizers.ownPrompt(name, version === undefined ? {} : { version: Number(version) });
  }),
  mapped(ListApiKeys, async () => (await keys.list()).keys),
  mapped(ListWebhooks, async ({ input: webhook }) =>
    webhook === undefined ? (await webhooks.list()).webhooks : [await webhooks.show(webhook)],
  ),
  mapped(ListErasures, () => erasures.list()),
  mapped(ShowErasure, ({ input: erasure }) => erasures.show(erasure)),
  // The service computes the fingerprints from the names.
  mapped(FindSubjects, async ({ input: names }) => names.map((name) => name as SubjectRef)),
  mapped(ListLogWitnesses, () => log.witnesses()),
  mapped(VerifyLive, ({ trust: { policy, remembered } }) =>
    log.verifyLive({
      ...(policy !== undefined && { policy }),
      ...(remembered && { remembered: remembered.map((head) => ({ ...head, keys: [...head.keys] })) }),
    }),
  ),
  mapped(ListSecrets, async () => (await secrets.list()).secrets),
];
