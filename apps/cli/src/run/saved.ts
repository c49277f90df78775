import { homedir } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PalimpsestClient, type SessionSummary } from '@app/client';
import { TenantId } from '@app/kernel';
import { withIdentity } from '../description-options.js';
import { discover, sourcesOf } from '../imports/discover/discover.js';
import { remoteService } from '../remote/remote-service.js';
import type { Agent } from './agents.js';
import type { RunHeaders } from './run-headers.js';
import type { UsedService } from './used-service.js';

/** Milliseconds to wait for the list of sessions to catch up with the log. */
const CATCH_UP_MS = 5_000;
const ASK_AGAIN_MS = 100;
/** Sessions that the report names. */
const NAMED_MAX = 3;

/** Returns one or two lines about the sessions that a run has changed. */
export const savedSince = async (
  startedAt: number,
  agent: Agent,
  service: UsedService,
  options: RunHeaders,
): Promise<string> => {
  if (!agent.setup) await importSince(startedAt, agent, service, options);
  const { sessions } = new PalimpsestClient(service);
  const changed: SessionSummary[] = [];
  await caughtUp(service);
  for await (const session of sessions.list({ agent: agent.name, limit: 100 })) {
    if (Date.parse(session.lastActivityAt) < startedAt) break;
    changed.push(session);
  }
  const [first, ...more] = changed;
  if (!first)
    return `palimpsest: ${agent.program} ${agent.setup ? 'sent no request that the gateway stored' : 'wrote no transcript'}, so nothing was saved`;
  const messages = changed.reduce((sum, one) => sum + one.messages, 0);
  const compactions = changed.reduce((sum, one) => sum + one.compactions, 0);
  const names = [first, ...more].slice(0, NAMED_MAX).map(({ session }) => session);
  const rest = changed.length > NAMED_MAX ? ` and ${changed.length - NAMED_MAX} more` : '';
  return [
    `palimpsest: saved ${count(changed.length, 'session')} with ${count(messages, 'message')} and ${count(compactions, 'compaction')}: ${names.join(', ')}${rest}`,
    `palimpsest: \`palimpsest context ${first.session}\` shows the next request, \`palimpsest sessions\` all sessions`,
  ].join('\n');
};

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Imports the transcripts that an agent has written since a time. */
const importSince = async (
  startedAt: number,
  { name }: Agent,
  service: UsedService,
  { label, profile = 'core', ...given }: RunHeaders,
): Promise<void> => {
  const { importSource } = remoteService(service);
  for (const found of await discover(homedir(), process.env)) {
    if (found.agent !== name || Date.parse(found.changedAt) < startedAt) continue;
    for (const source of await sourcesOf(found))
      await importSource(source, {
        tenant: TenantId('default'),
        profile,
        agent: name,
        project: given.project ?? basename(process.cwd()),
        ...(given.window !== undefined && { window: given.window }),
        labels: withIdentity(label, given),
      });
  }
};

/** Waits until the list of sessions contains all events, or for a while. */
const caughtUp = async ({ url }: UsedService): Promise<void> => {
  const until = performance.now() + CATCH_UP_MS;
  while (performance.now() < until) {
    const health: unknown = await fetch(new URL('/health', url)).then(
      (answer) => answer.json(),
      () => undefined,
    );
    if (isCaughtUp(health)) return;
    await pause(ASK_AGAIN_MS);
  }
};

const isCaughtUp = (health: unknown): boolean => {
  const { projections }: { projections?: unknown } = Object(health);
  return Array.isArray(projections) && projections.every((one) => Object(one).lag === 0);
};
