import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpHook } from '@app/adapters/hooks-http';
import type { HookDecision } from '@app/ports';
import {
  goodResult,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
  typesAfterRequest,
} from '@app/testing';
import { sign } from '../src/sign.js';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const ref = sessionRef();
const never = () => new AbortController().signal;

type Heard = { readonly type: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** An independent receiver that rejects unsigned calls. */
class Receiver {
  readonly heard: Heard[] = [];
  private readonly server: Server;

  constructor(
    private answer: (type: string) => { readonly status?: number; readonly body?: string } | 'nothing',
  ) {
    this.server = createServer((request, response) => void this.receive(request, response));
  }

  private async receive(...[request, response]: Parameters<RequestListener>): Promise<void> {
    const body = await text(request);
    const { headers } = request;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    if (headers['webhook-signature'] !== expected) return void response.writeHead(401).end();
    const { type } = JSON.parse(body);
    this.heard.push({ type, headers, body });
    const answer = this.answer(type);
    if (answer === 'nothing') return;
    response.writeHead(answer.status ?? 200, { location: '/elsewhere' }).end(answer.body ?? '');
  }

  async url(): Promise<string> {
    if (!this.server.listening)
      await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('an HTTP hook', () => {
  let receiver: Receiver | undefined;
  afterEach(() => receiver?.stop());

  const compacting = async (
    answer: ConstructorParameters<typeof Receiver>[0],
    options: Partial<Parameters<typeof httpHook>[0]> = {},
  ) => {
    receiver = new Receiver(answer);
    const hook = httpHook({
      url: await receiver.url(),
      secret: SECRET,
      timeLimitMs: 60_000,
      content: 'none',
      now: () => 1_795_000_000_999,
      ...options,
    });
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer();
    await application.runner('w1', summarizer, hook).run(ref, id, 'cause', never());
    const { state } = await application.sessions.load(ref);
    const summary = state.status === 'open' ? state.pivot?.summary : undefined;
    const types = await typesAfterRequest(application);
    return { id, application, summarizer, summary, types, heard: receiver.heard };
  };
  const deciding = (decision: HookDecision) => () => ({ body: JSON.stringify(decision) });

  // Holds rule 5.26.
  it('is signed by Standard Webhooks', () =>
    expect(
      sign(
        'whsec_plJ3nmyCDGBKInavdOK15jsl',
        'msg_loFOjxBNrRLzqYUf',
        1_731_705_121,
        '{"event_type":"ping","data":{"success":true}}',
      ),
    ).toBe('v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0='));

  it('is called before and after a compaction, with stable ids and without content', async () => {
    const { id, heard, summary } = await compacting(() => ({ status: 204 }));
    expect(heard.map(({ type }) => type)).toEqual(['compaction.before', 'compaction.after']);
    const [before, after] = heard;
    expect(before?.headers['webhook-id']).toMatch(new RegExp(`^${id}-before-[0-9a-f]{16}$`));
    expect(after?.headers['webhook-id']).toBe(`${id}-after`);
    expect(before?.headers['webhook-timestamp']).toBe('1795000000');
    expect(JSON.parse(before?.body ?? '').data).toMatchObject({
      tenantId: 'acme',
      sessionId: 'some',
      compactionId: id,
      trigger: 'explicit',
    });
    expect(JSON.parse(after?.body ?? '').data).toMatchObject({ compactionId: id, worker: 'w1' });
    expect(heard.map(({ body }) => body).join()).not.toMatch(/question 0|Finish everything/);
    expect(summary).toBe(goodResult().text);
  });

  it('receives the content if configured', async () => {
    const { heard } = await compacting(() => ({}), { content: 'full' });
    expect(JSON.parse(heard[0]?.body ?? '').data.content.messages[0]).toMatchObject({ id: 'q0' });
    expect(JSON.parse(heard[1]?.body ?? '').data.content).toEqual({ summary: goodResult().text });
  });

  it('is called after a failure', async () => {
    const unusable = { decision: 'summary', summary: 'All is well.' } as const;
    receiver = new Receiver(deciding(unusable));
    const hook = httpHook({
      url: await receiver.url(),
      secret: SECRET,
      timeLimitMs: 60_000,
      content: 'full',
    });
    const fail = (): never => {
      throw new Error('down');
    };
    const { application, id } = await requestedCompaction();
    await application.runner('w1', new ScriptedSummarizer(fail, fail), hook).run(ref, id, 'cause', never());
    expect(receiver.heard.at(-1)).toMatchObject({
      type: 'compaction.failed',
      headers: { 'webhook-id': `${id}-failed` },
    });
    expect(JSON.parse(receiver.heard.at(-1)?.body ?? '').data).toMatchObject({
      attempts: 3,
      rule: 'summarizer',
    });
  });

  it('can cancel the compaction', async () => {
    const { types } = await compacting(deciding({ decision: 'cancel', reason: 'not now' }));
    expect(types).toEqual(['CompactionCancelled']);
  });

  it('can provide the summary', async () => {
    const text = '## Goal\nTheirs.\n\n## State\nTheirs.';
    const { summary, summarizer } = await compacting(deciding({ decision: 'summary', summary: text }));
    expect(summary).toBe(text);
    expect(summarizer.requests).toHaveLength(0);
  });

  it('can add lines to the summarizer’s input', async () => {
    const context = ['the API is frozen', 'ask Ann'];
    const { summarizer, application } = await compacting(deciding({ decision: 'continue', context }));
    expect(summarizer.requests).toMatchObject([{ contextLines: context }]);
    expect(application.hookProblems).toEqual([]);
  });

  it.each([
    ['returns an error status', { status: 500 }, 'HookRefused'],
    ['redirects', { status: 302 }, 'TypeError'],
    ['returns invalid JSON', { body: 'OK' }, 'UnreadableAnswer'],
    ['returns an unknown decision', { body: '{"decision":"maybe"}' }, 'UnreadableAnswer'],
    [
      'returns context that is not a list',
      { body: '{"decision":"continue","context":"Ann"}' },
      'UnreadableAnswer',
    ],
    ['returns an oversize body', { body: 'x'.repeat(2_000_000) }, 'UnreadableAnswer'],
  ] as const)('that %s is ignored', async (_, answer, error) => {
    const { application, summary, types } = await compacting((type) =>
      type === 'compaction.before' ? answer : {},
    );
    expect(types.at(-1)).toBe('CompactionApplied');
    expect(summary).toBe(goodResult().text);
    expect(application.hookProblems).toMatchObject([{ name: error }]);
  });

  it('without a decision continues the compaction', async () => {
    const { application, types } = await compacting(() => ({ body: '{"ok":true}' }));
    expect(types.at(-1)).toBe('CompactionApplied');
    expect(application.hookProblems).toEqual([]);
  });

  // Holds rule 5.26.
  it('that times out is ignored', async () => {
    const { application, summary } = await compacting(() => 'nothing', { timeLimitMs: 50 });
    expect(summary).toBe(goodResult().text);
    expect(application.hookProblems).toMatchObject([{ name: 'TimeoutError' }, { name: 'TimeoutError' }]);
  });

  it('that is unreachable is ignored', async () => {
    const { application, summary } = await compacting(() => ({}), { url: 'http://127.0.0.1:1/hook' });
    expect(summary).toBe(goodResult().text);
    expect(application.hookProblems).toHaveLength(2);
  });
});
