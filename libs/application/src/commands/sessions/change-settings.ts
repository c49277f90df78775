import {
  type ChangeRequestPartsCommand,
  limitsOf,
  type Profile,
  type ProfileSource,
  resolveProfile,
  type SessionState,
  withOverrides,
} from '@app/domain';
import type { JsonObject } from '@app/kernel';
import type { ModelRegistry, TokenCounter } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { hashed } from '../../requests/request-parts.js';
import { counterForFixed } from '../../sessions/count-ahead.js';
import { countFixed } from '../../sessions/count-message.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';

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
export type Settings = {
  readonly profile: Profile;
  readonly window: number;
  readonly model: string;
  readonly title: string | null;
  readonly project: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Names of what this call has changed. */
  readonly changed: readonly string[];
};

/** Other rules, another window, another model, another system prompt or other tools for a session, from the next check of its budget on. */
export class ChangeSettings extends Command<Settings> {
  constructor(
    readonly ref: SessionRef,
    readonly change: SettingsChange,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly models: ModelRegistry,
    private readonly counter: TokenCounter,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `unknown-profile`, `unknown-window`, `invalid-settings`. */
  async execute({ ref, change, caller }: ChangeSettings): Promise<Settings> {
    const { profile, overrides, window, model } = change;
    const { state } = await this.sessions.load(ref);
    const before = requireOpen(ref, state);
    const catalog = await this.models.catalogFor(ref.tenant);
    const changed: string[] = [];
    if (model !== undefined) {
      const limits = limitsOf(catalog, model, before.policy, window ?? givenWindow(before));
      const data = { sessionId: ref.session, model, limits };
      const { events } = await this.sessions.execute(ref, { type: 'SwitchModel', data }, caller);
      if (events.length > 0) changed.push('model');
    }
    changed.push(...(await this.changeParts(ref, change, caller)));
    changed.push(...(await this.describe(ref, change, caller)));
    const named = profile === undefined ? before.policy : resolveProfile(profile);
    const policy = withOverrides(named, overrides ?? {});
    const limits =
      window === undefined ? undefined : limitsOf(catalog, model ?? before.model, policy, window);
    const data = {
      sessionId: ref.session,
      profile: policy,
      ...(limits && { limits }),
    };
    const after = await this.sessions.execute(ref, { type: 'ChangeSettings', data }, caller);
    for (const event of after.events)
      if (event.type === 'SettingsChanged') changed.push(...event.data.changed);
    const session = requireOpen(ref, after.state);
    const { title = null, project = null, labels } = session.description;
    const { model: modelNow, limits: limitsNow } = session;
    return {
      ...{ profile: session.profile, window: limitsNow.window, model: modelNow },
      ...{ title, project, labels, changed },
    };
  }

  /** Records another title, project or labels; returns the names of what has changed. */
  private async describe(
    ref: SessionRef,
    { title, project, labels }: SettingsChange,
    caller: Caller,
  ): Promise<readonly string[]> {
    if (title === undefined && project === undefined && labels === undefined) return [];
    const data = {
      sessionId: ref.session,
      ...(title !== undefined && { title }),
      ...(project !== undefined && { project }),
      ...(labels && { labels }),
    };
    const { events } = await this.sessions.execute(ref, { type: 'DescribeSession', data }, caller);
    return events.flatMap((event) => (event.type === 'SessionDescribed' ? event.data.changed : []));
  }

  /** Records another system prompt, or other tools; returns the names of what has changed. */
  private async changeParts(
    ref: SessionRef,
    { systemPrompt, tools }: SettingsChange,
    caller: Caller,
  ): Promise<readonly string[]> {
    if (systemPrompt === undefined && tools === undefined) return [];
    const make = async (state: SessionState): Promise<ChangeRequestPartsCommand> => {
      const { parts } = requireOpen(ref, state);
      const [prompt, all] = [systemPrompt ?? parts.systemPrompt, tools ?? parts.tools];
      const counter = await counterForFixed(this.counter, ref.tenant, prompt, all);
      const fixedTokens = countFixed(counter, prompt, all);
      const data = { systemPrompt: hashed(prompt), tools: hashed(JSON.stringify(all)), fixedTokens };
      return { type: 'ChangeRequestParts', data: { sessionId: ref.session, ...data } };
    };
    const { events } = await this.sessions.execute(ref, { called: 'ChangeRequestParts', make }, caller);
    return events.flatMap((event) =>
      event.type === 'RequestPartsChanged'
        ? [...(event.data.systemPrompt ? ['systemPrompt'] : []), ...(event.data.tools ? ['tools'] : [])]
        : [],
    );
  }
}

/** A window that the caller once gave stays his word, whatever the model. */
const givenWindow = ({
  limits,
}: {
  readonly limits: { window: number; windowSource: string };
}): number | undefined => (limits.windowSource === 'given' ? limits.window : undefined);
