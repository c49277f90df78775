import {
  allSubjects,
  type CommandOf,
  type Limits,
  limitsOf,
  type ModelCatalog,
  type ProfileSource,
  resolveProfile,
} from '@app/domain';
import type { IsoTime, JsonObject, SessionId, SubjectRef } from '@app/kernel';
import { pick } from '@app/kernel';
import type { Clock, ModelRegistry, TokenCounter } from '@app/ports';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../../command-and-query.js';
import { HandlesCommand } from '../../handlers.js';
import type { RetentionDefaults } from '../../retention/retention-defaults.js';
import { counterForFixed, countFixed } from '../../sessions/count-message.js';

import { customerOf, type Fingerprints } from '../../sessions/customer-of.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';

export type OpenSessionInput = {
  readonly model: string;
  readonly profile: ProfileSource;
  /** Tokens; 0 is unlimited. By default that of the model. */
  readonly window?: number;
  readonly systemPrompt: string;
  readonly tools: readonly JsonObject[];
  /** Parent session, for the record only; `OpenChildSession` opens a running child. */
  readonly parentSessionId?: SessionId;
  /** Metadata for searches. */
  readonly title?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Data subjects of the whole session, or of its opening only. */
  readonly subjects?: readonly SubjectRef[];
  readonly subjectsApplyTo?: 'opening';
};
/** The input with the data subject that the label `customer` names. */
type OpeningInput = OpenSessionInput & { readonly customer?: SubjectRef };

/** Opens a session and records all of its settings. */
export class OpenSession extends CommandOnSession<OpenSessionInput, { readonly limits: Limits }> {}

@HandlesCommand(OpenSession, 'sessions', 'counter', 'models', 'clock', 'retention', 'keys')
export class OpenSessionHandler implements ICommandHandler<OpenSession> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly counter: TokenCounter,
    private readonly models: ModelRegistry,
    private readonly clock?: Clock,
    private readonly retention?: RetentionDefaults,
    private readonly fingerprints?: Fingerprints,
  ) {}

  /** @throws {AppError} `session-already-open`, `unknown-profile`, `unknown-window`, `invalid-settings`. */
  async execute({ ref, input, caller }: OpenSession): Promise<{ readonly limits: Limits }> {
    const catalog = await this.models.catalogFor(ref.tenant);
    const { systemPrompt, tools } = input;
    const counter = await counterForFixed(this.counter, ref.tenant, systemPrompt, tools);
    const customer = await customerOf(this.fingerprints, ref.tenant, input.labels);
    const given = customer ? { ...input, customer } : input;
    const command = openingOf(ref, given, counter, catalog, this.clock?.now());
    const kept = await this.retention?.membersFor(ref.tenant, command.data.profile.name);
    await this.sessions.execute(ref, { ...command, data: { ...command.data, ...kept } }, caller);
    return { limits: command.data.limits };
  }
}

/** Returns the command that opens a session with all settings resolved. */
export const openingOf = (
  ref: SessionRef,
  { model, window, systemPrompt, tools, parentSessionId, ...input }: OpeningInput,
  counter: TokenCounter,
  catalog: ModelCatalog,
  now?: IsoTime,
): CommandOf<'OpenSession'> => {
  const profile = resolveProfile(input.profile);
  const { customer } = input;
  const subjects = allSubjects([input.subjects, customer && [customer]]);
  const data = {
    tenantId: ref.tenant,
    sessionId: ref.session,
    model,
    limits: limitsOf(catalog, model, profile, window),
    profile,
    systemPrompt,
    tools,
    fixedTokens: countFixed(counter, systemPrompt, tools),
    ...(parentSessionId && { parentSessionId }),
    ...pick(input, 'title', 'agent', 'project', 'labels'),
    ...(subjects.length > 0 && {
      subjects,
      ...(input.subjectsApplyTo && { subjectsApplyTo: input.subjectsApplyTo }),
      ...(customer && { customer }),
    }),
    ...(now && { openedAt: now }),
  };
  return { type: 'OpenSession', data };
};
