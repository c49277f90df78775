import { createHash } from 'node:crypto';
import { verifyBundle } from '@app/proof';
import { expect } from '@jest/globals';
import { replayBundle } from '../../../apps/cli/src/proofs/replay-bundle.js';
import type { ApiServer } from './api-server.js';

/** A recorded request, and its rebuilt form. */
export type Rebuilt = {
  readonly requestId: string;
  readonly revision: number;
  readonly stages: readonly string[];
  readonly ladder: unknown;
  readonly body: string;
  readonly view: Readonly<Record<string, unknown>>;
};

type Line = {
  readonly type: string;
  readonly revision: number;
  readonly data: Readonly<Record<string, unknown>>;
};

export const eventsOf = async (api: ApiServer, session: string): Promise<readonly Line[]> => {
  const { body } = await api.call('GET', `/v1/sessions/${session}/events`);
  return String(body)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

/** Rebuilds every request of a session over HTTP and from its proof, and compares each with its recorded digest. */
export const expectRebuilt = async (api: ApiServer, session: string): Promise<readonly Rebuilt[]> => {
  const composed = (await eventsOf(api, session)).filter(({ type }) => type === 'RequestComposed');
  const rebuilt: Rebuilt[] = [];
  for (const { data } of composed) {
    const requestId = String(data.requestId);
    const { status, body } = await api.call('GET', `/v1/sessions/${session}/context?asOf=${requestId}`);
    const view: Record<string, unknown> = Object(body);
    const exact = String(view.body);
    expect([requestId, status, view.requestId, view.digestMatches]).toEqual([
      requestId,
      200,
      requestId,
      true,
    ]);
    expect(createHash('sha256').update(exact).digest('hex')).toBe(data.digest);
    rebuilt.push({
      requestId,
      revision: Number(data.revision),
      stages: Array.isArray(data.stages) ? data.stages.map(String) : [],
      ladder: data.ladder,
      body: exact,
      view,
    });
  }
  await expectProved(api, session, rebuilt.length);
  return rebuilt;
};

/** Verifies the proof bundle of a session, with a replay of all its requests. */
const expectProved = async (api: ApiServer, session: string, requests: number): Promise<void> => {
  const { body } = await api.call('GET', `/v1/sessions/${session}/proof`);
  const report = await verifyBundle(Buffer.from(String(body)), { replay: replayBundle });
  expect(report).toMatchObject({ outcome: 'valid', faults: [] });
  expect(report.steps.at(-1)?.detail).toContain(`digests of ${requests} request`);
};
