import type { Settings } from '@app/contract';
import {
  type CommandOf,
  type Limits,
  limitsOf,
  type ModelCatalog,
  type OpenSession,
  type Profile,
  type ProfileSource,
  resolveProfile,
  type SessionEvent,
  type SessionState,
  withOverrides,
} from '@app/domain';
import type { JsonObject, SubjectRef } from '@app/kernel';
import { defined } from '@app/kernel';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';
import { hashed } from '../../requests/request-parts.js';
import { counterForFixed, countFixed } from '../../sessions/count-message.js';
import { customerOf, type Fingerprints } from '../../sessions/customer-of.js';
import type { CommandFor } from '../../sessions/decisions.js';
import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';

export type SettingsChange = {
  /** Another profile; overrides apply on top of it. */
  readonly profile?: ProfileSource;
  readonly overrides?: JsonObject;
  /** Tokens; 0 is unlimited. */
  readonly window?: number;
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly tools?: readonly JsonObject[];
  /** `null` removes it. */
  readonly title?: string | null;
  readonly project?: string | null;
  /** The labels to set; `null` removes one. Others stay. */
  readonly labels?: Readonly<Record<string, string | null>>;
};
/** Changes profile, window, model, system prompt, tools or metadata of a session, from its next budget check on. */
export class ChangeSettings extends CommandOnSession<SettingsChange, Settings> {}

@HandlesCommand(ChangeSettings)
export class ChangeSettingsHandler extends Handler<
  ChangeSettings,
  'sessions' | 'models' | 'counter',
  { readonly keys?: Fingerprints }
> {
  /** @throws {AppError} `session-not-found`, `session-closed`, `unknown-profile`, `unknown-window`, `invalid-settings`. */
  async execute({ ref, input: change, caller }: ChangeSettings): Promise<Settings> {
    const { state } = await this.parts.sessions.load(ref);
    const before = requireOpen(ref, state);
    const catalog = await this.parts.models.catalogFor(ref.tenant);
    const commands: CommandFor[] = [
      switchModel(ref, change, before, catalog),
      this.changeParts(ref, change),
      describe(ref, change, await customerOf(this.parts.keys, ref.tenant, change.labels)),
      changeProfile(ref, change, before, catalog),
    ].filter((command) => command !== undefined);
    // Without any change, an empty command still checks the expected revision.
    if (commands.length === 0) commands.push(profileCommand(ref, before.policy));
    const changed: string[] = [];
    let after = state;
    for (const command of commands) {
      const executed = await this.parts.sessions.execute(ref, command, caller);
      changed.push(...executed.events.flatMap(changesOf));
      after = executed.state;
    }
    const session = requireOpen(ref, after);
    const { title = null, project = null, labels } = session.description;
    const { model, limits } = session;
    return {
      profile: session.profile,
      window: limits.window,
      model,
      ...{ title, project, labels, changed },
    };
  }

  /** Returns the command that changes system prompt or tools. */
  private changeParts(ref: SessionRef, { systemPrompt, tools }: SettingsChange): CommandFor | undefined {
    if (systemPrompt === undefined && tools === undefined) return undefined;
    const make = async (state: SessionState): Promise<CommandOf<'ChangeRequestParts'>> => {
      const { parts } = requireOpen(ref, state);
      const [prompt, all] = [systemPrompt ?? parts.systemPrompt, tools ?? parts.tools];
      const counter = await counterForFixed(this.parts.counter, ref.tenant, prompt, all);
      const fixedTokens = countFixed(counter, prompt, all);
      const data = { systemPrompt: hashed(prompt), tools: hashed(JSON.stringify(all)), fixedTokens };
      return { type: 'ChangeRequestParts', data: { sessionId: ref.session, ...data } };
    };
    return { called: 'ChangeRequestParts', make };
  }
}

const switchModel = (
  ref: SessionRef,
  { model, window }: SettingsChange,
  before: OpenSession,
  catalog: ModelCatalog,
): CommandFor | undefined => {
  if (model === undefined) return undefined;
  const limits = limitsOf(catalog, model, before.policy, window ?? givenWindow(before));
  return { type: 'SwitchModel', data: { sessionId: ref.session, model, limits } };
};

/** Returns the command that changes title, project or labels. */
const describe = (
  ref: SessionRef,
  { title, project, labels }: SettingsChange,
  customer: SubjectRef | null | undefined,
): CommandFor | undefined => {
  if (title === undefined && project === undefined && labels === undefined) return undefined;
  const data = {
    sessionId: ref.session,
    ...defined({ title, project, labels, customer }),
  };
  return { type: 'DescribeSession', data };
};

/** Returns the command that changes profile, overrides or window. */
const changeProfile = (
  ref: SessionRef,
  { profile, overrides, window, model }: SettingsChange,
  before: OpenSession,
  catalog: ModelCatalog,
): CommandFor | undefined => {
  if (profile === undefined && overrides === undefined && window === undefined) return undefined;
  const named = profile === undefined ? before.policy : resolveProfile(profile);
  const policy = withOverrides(named, overrides ?? {});
  if (window === undefined) return profileCommand(ref, policy);
  return profileCommand(ref, policy, limitsOf(catalog, model ?? before.model, policy, window));
};

const profileCommand = (ref: SessionRef, profile: Profile, limits?: Limits): CommandFor => ({
  type: 'ChangeSettings',
  data: { sessionId: ref.session, profile, ...(limits && { limits }) },
});

/** Returns the names of the settings that an event has changed. */
const changesOf = (event: SessionEvent): readonly string[] => {
  switch (event.type) {
    case 'ModelSwitched':
      return ['model'];
    case 'RequestPartsChanged':
      return [...(event.data.systemPrompt ? ['systemPrompt'] : []), ...(event.data.tools ? ['tools'] : [])];
    case 'SessionDescribed':
    case 'SettingsChanged':
      return event.data.changed;
    default:
      return [];
  }
};

/** Returns the window that a caller has set, which applies to every model. */
const givenWindow = ({ limits }: OpenSession): number | undefined =>
  limits.windowSource === 'given' ? limits.window : undefined;
