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
import type { TokenCounter } from '@app/ports';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, type HandlerParts, HandlesCommand } from '../../handlers.js';
import { counterForFixed, countFixed } from '../../sessions/count-message.js';
import { customerOf, type Fingerprints } from '../../sessions/customer-of.js';
import type { SessionRef } from '../../sessions/session-ref.js';

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

/** Without `keys` a session has no customer. */
export type OpeningParts = Pick<HandlerParts, 'sessions' | 'counter' | 'models'> &
  Partial<Pick<HandlerParts, 'clock' | 'retention'>> & { readonly keys?: Fingerprints };

@HandlesCommand(OpenSession)
export class OpenSessionHandler extends Handler<OpenSession, never, OpeningParts> {
  /** @throws {AppError} `session-already-open`, `unknown-profile`, `unknown-window`, `invalid-settings`. */
  async execute({ ref, input, caller }: OpenSession): Promise<{ readonly limits: Limits }> {
    const catalog = await this.parts.models.catalogFor(ref.tenant);
    const { systemPrompt, tools } = input;
    const counter = await counterForFixed(this.parts.counter, ref.tenant, systemPrompt, tools);
    const customer = await customerOf(this.parts.keys, ref.tenant, input.labels);
    const given = customer ? { ...input, customer } : input;
    const command = openingOf(ref, given, counter, catalog, this.parts.clock?.now());
    const kept = await this.parts.retention?.membersFor(ref.tenant, command.data.profile.name);
    await this.parts.sessions.execute(ref, { ...command, data: { ...command.data, ...kept } }, caller);
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
