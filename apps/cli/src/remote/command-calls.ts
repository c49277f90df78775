import {
  AppendConversation,
  ApproveErasure,
  ChangeErasurePolicy,
  ChangeLimits,
  ChangeSettings,
  ChangeWebhook,
  CloseSession,
  CompleteTurn,
  ComposeRequest,
  ConfigureSummarizers,
  DeferCompactions,
  ForkSession,
  IssueApiKey,
  type MessageDraft,
  OpenChildSession,
  OpenSession,
  type OpenSessionInput,
  PinContent,
  PlaceLegalHold,
  PutSecret,
  RegisterPrompt,
  RegisterTenant,
  RegisterWebhook,
  ReleaseCompactions,
  ReleaseLegalHold,
  RemoveRetention,
  RemoveSecret,
  RemoveWebhook,
  ReplayDelivery,
  ReportEdits,
  ReportOverflow,
  ReportUsage,
  RequestCompaction,
  RequestErasure,
  ResetSession,
  RevertCompaction,
  RevokeApiKey,
  RotateApiKey,
  RotateLogKey,
  RotateWebhookSecret,
  SetRetention,
  SetRetentionDefaults,
  SkipDelivery,
  TestWebhook,
  UnpinContent,
  WithdrawErasure,
} from '@app/application';
import { type PalimpsestClient, refusalIn } from '@app/client';
import type { Trigger } from '@app/domain';
import { invariant } from '@app/kernel';
import { type Mapping, mapped } from './remote-bus.js';

/** Maps every command that the command line sends to a call of the client. */
export const commandCalls = (client: PalimpsestClient): readonly Mapping[] => [
  ...sessionCalls(client),
  ...tenantCalls(client),
  ...protectionCalls(client),
  ...webhookCalls(client),
  ...trustCalls(client),
];

const sessionCalls = ({ sessions, compactions }: PalimpsestClient): readonly Mapping[] => [
  mapped(OpenSession, ({ ref, input }) => sessions.open({ session: ref.session, ...opening(input) })),
  mapped(OpenChildSession, ({ ref, input }) => {
    const { parent, mandate } = input;
    const child = { parent, ...(mandate !== undefined && { mandate }) };
    return sessions.open({ session: ref.session, ...opening(input), ...child });
  }),
  mapped(AppendConversation, ({ ref, input: conversation }) => {
    const messages = conversation.messages.map(messageOf);
    return sessions.append(ref.session, { ...conversation, messages });
  }),
  mapped(CompleteTurn, ({ ref, input: stopReason }) => sessions.completeTurn(ref.session, stopReason)),
  mapped(ComposeRequest, async ({ ref, input: options }) => {
    try {
      return await sessions.compose(ref.session, options);
    } catch (error) {
      const refused = refusalIn(error);
      if (refused) return refused;
      throw error;
    }
  }),
  mapped(ReportUsage, ({ ref, input: { usage, model } }) =>
    sessions.reportUsage(ref.session, usage, model === undefined ? {} : { model }),
  ),
  mapped(ReportEdits, ({ ref, input }) => {
    invariant('answer' in input, 'a service reads the answer of the provider itself');
    return sessions.reportEdits(ref.session, input.answer);
  }),
  mapped(ReportOverflow, ({ ref, input: error }) => sessions.reportOverflow(ref.session, error)),
  mapped(ChangeSettings, ({ ref, input: { systemPrompt, ...change } }) =>
    sessions.changeSettings(ref.session, {
      ...change,
      ...(systemPrompt !== undefined && { system: systemPrompt }),
    }),
  ),
  mapped(PinContent, ({ ref, input: { pinId, kind, text } }) =>
    sessions.pin(ref.session, pinId, { kind, text }),
  ),
  mapped(UnpinContent, ({ ref, input: pinId }) => sessions.unpin(ref.session, pinId)),
  mapped(DeferCompactions, async ({ ref, input: hold }) => void (await sessions.defer(ref.session, hold))),
  mapped(ReleaseCompactions, ({ ref, input: reason }) => sessions.release(ref.session, reason)),
  mapped(ForkSession, ({ ref, input: request }) => sessions.fork(ref.session, request)),
  mapped(ResetSession, ({ ref, input: request }) => sessions.reset(ref.session, request)),
  mapped(CloseSession, async ({ ref, input: reason }) => void (await sessions.close(ref.session, reason))),
  mapped(RequestCompaction, ({ ref, input: request }) =>
    compactions.request(ref.session, { ...request, trigger: askedFor(request.trigger) }),
  ),
  mapped(RevertCompaction, ({ ref, input: request }) => compactions.revert(ref.session, request)),
];

const tenantCalls = ({ secrets, keys, summarizers }: PalimpsestClient): readonly Mapping[] => [
  mapped(RegisterPrompt, ({ input: { name, texts } }) => summarizers.registerPrompt(name, texts)),
  mapped(PutSecret, ({ input: { name, value } }) => secrets.put(name, value)),
  mapped(RemoveSecret, async ({ input: name }) => void (await secrets.remove(name))),
  mapped(IssueApiKey, ({ input: { role, permissions = [], label, expiresAt } }) =>
    keys.issue({ role, permissions, label, ...expiring(expiresAt) }),
  ),
  mapped(RotateApiKey, ({ input: { keyId, overlapSeconds, expiresAt } }) =>
    keys.rotate(keyId, { overlapSeconds, ...expiring(expiresAt) }),
  ),
  mapped(RevokeApiKey, async ({ input: { keyId, reason } }) => void (await keys.revoke(keyId, reason))),
  mapped(ConfigureSummarizers, ({ input: wanted }) => summarizers.configure(wanted)),
  mapped(ChangeLimits, ({ input: limits }) => keys.changeLimits(limits)),
  mapped(RegisterTenant, ({ tenant, name }) => keys.registerTenant({ tenant, name })),
];

const protectionCalls = ({ retention }: PalimpsestClient): readonly Mapping[] => [
  mapped(SetRetention, ({ ref, input: { mayShorten: _, ...period } }) => retention.set(ref.session, period)),
  mapped(RemoveRetention, ({ ref, input }) => retention.remove(ref.session, input.reason)),
  mapped(PlaceLegalHold, ({ ref, input: hold }) => retention.hold(ref.session, hold.matter, hold.reason)),
  mapped(ReleaseLegalHold, ({ ref, input: release }) =>
    retention.release(ref.session, release.matter, release.reason),
  ),
  mapped(SetRetentionDefaults, ({ input: wanted }) => retention.setDefaults(wanted)),
];

const webhookCalls = ({ webhooks }: PalimpsestClient): readonly Mapping[] => [
  mapped(RegisterWebhook, ({ input: settings }) => webhooks.register(settings)),
  mapped(ChangeWebhook, ({ input: { webhook, settings } }) => webhooks.change(webhook, settings)),
  mapped(RemoveWebhook, async ({ input: webhook }) => void (await webhooks.remove(webhook))),
  mapped(RotateWebhookSecret, ({ input: { webhook, overlapSeconds } }) =>
    webhooks.rotateSecret(webhook, { overlapSeconds }),
  ),
  mapped(ReplayDelivery, ({ input: { webhook, position } }) => webhooks.replay(webhook, String(position))),
  mapped(SkipDelivery, ({ input: { webhook, position, reason } }) =>
    webhooks.skip(webhook, String(position), reason),
  ),
  mapped(TestWebhook, ({ input: webhook }) => webhooks.test(webhook)),
];

const trustCalls = ({ erasures, log }: PalimpsestClient): readonly Mapping[] => [
  mapped(RotateLogKey, () => log.rotateKey()),
  mapped(RequestErasure, ({ input: { target, reason } }) => {
    if (target.scope === 'subject') return erasures.request({ subject: target.subject, reason });
    return erasures.request(
      target.scope === 'session' ? { session: target.session, reason } : { tenant: true, reason },
    );
  }),
  mapped(ApproveErasure, ({ input: erasure }) => erasures.approve(erasure)),
  mapped(WithdrawErasure, ({ input: { erasure, reason } }) => erasures.withdraw(erasure, reason)),
  mapped(ChangeErasurePolicy, ({ input: people }) => erasures.changePolicy({ people })),
];

const opening = ({
  systemPrompt: system,
  parentSessionId: _,
  subjectsApplyTo: __,
  ...input
}: OpenSessionInput) => ({
  ...input,
  system,
});

const expiring = (expiresAt: string | null) => (expiresAt === null ? {} : { expiresAt });

const messageOf = ({ blocks: content, ...message }: MessageDraft) => ({ ...message, content });

/** Narrows to the triggers that callers may send; the service sets the others. */
const askedFor = (trigger: Trigger): 'explicit' | 'policy' | 'requested-mid-turn' => {
  invariant(
    trigger === 'explicit' || trigger === 'policy' || trigger === 'requested-mid-turn',
    `callers request no compaction by the trigger "${trigger}"`,
  );
  return trigger;
};
