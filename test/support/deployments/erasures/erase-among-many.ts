import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from '../deployment.js';
import { Random } from '../kills/random.js';

export type ErasingOptions = {
  readonly seed: number;
  readonly subjects: number;
  /** Half of them have content of the subject that is erased. */
  readonly sessions: number;
  /** `kill -9` while the erasure goes on, at random moments. */
  readonly kills: number;
  /** Verifies a proof bundle. */
  readonly verify: (bundle: Buffer) => Promise<{ readonly outcome: string }>;
};
export type ErasingReport = {
  /** Broken promises; must be empty. */
  readonly faults: readonly string[];
  readonly sessions: number;
  readonly keys: number;
  /** From the request to the receipt, with all restarts. */
  readonly seconds: number;
  /** Kills before the receipt was recorded. */
  readonly kills: number;
  /** A text in all content of the erased subject; of no other. */
  readonly secret: string;
};

type Line = { readonly id: string; readonly content: unknown };
type Receipt = { readonly counts: { readonly keys: number; readonly sessions: number } };
type Shown = { readonly state: string; readonly receipt: Receipt | null };

/** Longest wait from the request or a restart to a kill. */
const KILL_WITHIN_MS = 1_500;
const PROOFS = 5;
const secretOf = (subject: number): string => `secret-of-${String(subject).padStart(5, '0')}`;
const [ERASED, PADDING] = [0, ' and more'.repeat(40)];

/**
 * Fills sessions with content of many subjects, with compactions, forks and children that quote it; erases one of the subjects while
 * the service is killed; and compares everything else with before.
 */
export const eraseAmongMany = async (
  deployment: Deployment,
  options: ErasingOptions,
): Promise<ErasingReport> => {
  const api = new Calls(deployment);
  const random = new Random(options.seed);
  const names = await fill(api, options);
  const before = new Map<string, string>();
  for (const name of names) before.set(name, await api.text(`/v1/sessions/${name}/export`));
  const proofs = new Map<string, string>();
  for (const name of names.slice(0, PROOFS)) proofs.set(name, await api.text(`/v1/sessions/${name}/proof`));

  const startedAt = performance.now();
  const asked = api.send('POST', '/v1/erasures', { subject: secretOf(ERASED), reason: 'asked for' });
  asked.catch(() => {}); // It dies with the process.
  let kills = 0;
  while (kills < options.kills) {
    await pause(random.below(KILL_WITHIN_MS));
    if (kills > 0 && (await newest(api))?.state === 'completed') break;
    await deployment.kill('api');
    kills += 1;
    // A request that was not recorded before the kill is made again.
    if (!(await newest(api)))
      void api
        .send('POST', '/v1/erasures', { subject: secretOf(ERASED), reason: 'asked for' })
        .catch(() => {});
  }
  let shown = await newest(api);
  while (shown?.state !== 'completed') {
    await pause(20);
    shown = await newest(api);
  }
  const seconds = (performance.now() - startedAt) / 1_000;

  const faults: string[] = [];
  const secret = secretOf(ERASED);
  for (const name of names) {
    const now = await api.text(`/v1/sessions/${name}/export`);
    faults.push(...differences(name, before.get(name) ?? '', now, secret));
    const context = await api.text(`/v1/sessions/${name}/context`);
    if (context.includes(secret)) faults.push(`${name}: its context has the secret`);
    const { violations = [] }: { readonly violations?: readonly unknown[] } = JSON.parse(context);
    if (violations.length > 0) faults.push(`${name}: its context is invalid: ${JSON.stringify(violations)}`);
    for (const path of ['events', 'proof'])
      if ((await api.text(`/v1/sessions/${name}/${path}`)).includes(secret))
        faults.push(`${name}: its ${path} have the secret`);
  }
  for (const [name, proof] of proofs) {
    const now = await api.text(`/v1/sessions/${name}/proof`);
    for (const [when, bundle] of Object.entries({ before: proof, after: now })) {
      const { outcome } = await options.verify(Buffer.from(bundle));
      if (outcome !== 'valid') faults.push(`${name}: the proof from ${when} is ${outcome}`);
    }
  }
  const counts = shown.receipt?.counts ?? { keys: 0, sessions: 0 };
  return { faults, ...counts, seconds, kills, secret };
};

/** Returns the names of the sessions, of which the first half has content of the erased subject. */
const fill = async (api: Calls, { subjects, sessions }: ErasingOptions): Promise<readonly string[]> => {
  const names: string[] = [];
  const perSession = Math.ceil(subjects / sessions);
  for (let at = 0; at < sessions; at += 1) {
    const name = `s${at}`;
    const isOfErased = at < sessions / 2;
    const others = Array.from(
      { length: perSession },
      (_, one) => 1 + ((at * perSession + one) % (subjects - 1)),
    );
    const turns = isOfErased ? [ERASED, ...others] : others;
    await api.ok('POST', '/v1/sessions', { session: name, window: 200_000 });
    const messages = turns.flatMap((subject) => [
      { role: 'user', content: `${secretOf(subject)} asks${PADDING}`, subjects: [secretOf(subject)] },
      { role: 'assistant', content: `an answer to ${secretOf(subject)}${PADDING}` },
    ]);
    await api.ok('POST', `/v1/sessions/${name}/messages`, { messages });
    names.push(name);
    if (at % 4 === 0) await api.ok('POST', `/v1/sessions/${name}/compactions?wait=true`, {});
    if (at % 5 === 0) {
      await api.ok('POST', `/v1/sessions/${name}/fork`, { as: `fork-${at}` });
      names.push(`fork-${at}`);
    }
    if (at % 5 === 1) {
      const mandate = `look after ${secretOf(turns[0] ?? 1)}`;
      await api.ok('POST', '/v1/sessions', {
        session: `child-${at}`,
        window: 200_000,
        parent: name,
        mandate,
      });
      names.push(`child-${at}`);
    }
  }
  return names;
};

const newest = async (api: Calls): Promise<Shown | undefined> => {
  const { erasures } = (await api.ok('GET', '/v1/erasures')) as { readonly erasures: readonly Shown[] };
  return erasures[0];
};

/** Messages with the secret must be erased, all others as they were. */
const differences = (name: string, before: string, now: string, secret: string): readonly string[] => {
  const after = new Map(linesIn(now).map((line) => [line.id, line]));
  return linesIn(before).flatMap((line) => {
    const text = JSON.stringify(line);
    const found = JSON.stringify(after.get(line.id));
    if (!text.includes(secret))
      return found === text ? [] : [`${name}: ${line.id} reads otherwise: ${found}`];
    return found?.includes(secret) === false ? [] : [`${name}: ${line.id} is not erased`];
  });
};

const linesIn = (text: string): readonly Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));

/** Calls of the API with the key of its admin. */
class Calls {
  constructor(private readonly deployment: Deployment) {}

  async send(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.deployment.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.deployment.adminKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async text(path: string): Promise<string> {
    const response = await this.send('GET', path);
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text}`);
    return text;
  }

  async ok(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}
