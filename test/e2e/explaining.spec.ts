import { fileURLToPath } from 'node:url';
import { CliFolder } from '../support/cli.js';
import type { ContextAnswer, EventLine, ExportLine, ImportLine } from '../support/cli-shapes.js';

const SAMPLE = fileURLToPath(new URL('../../samples/agent-session.json', import.meta.url));

type Chain = readonly { readonly compactionId: string; readonly did: string; readonly isInForce: boolean }[];
type ProvenanceAnswer = { readonly status: string; readonly chain?: Chain };
type DiffAnswer = {
  readonly a: { readonly tokens: number; readonly messages: number };
  readonly b: { readonly tokens: number; readonly summary: { readonly compactionId: string } | null };
  readonly messages: {
    readonly onlyInA: readonly { readonly id: string; readonly content?: readonly object[] }[];
    readonly onlyInB: readonly { readonly id: string }[];
  };
};
type ExplainAnswer = {
  readonly kind: string;
  readonly outcome: { readonly status: string; readonly standing: { readonly is: string } };
  readonly why: { readonly trigger: string; readonly occupancy: number };
  readonly covered: { readonly messages: number; readonly ids: readonly string[] };
  readonly verified: { readonly countedAfter: number; readonly countedLimit: number };
};
type WhatIfAnswer = {
  readonly outcomes: readonly { readonly profile: string; readonly plan: { readonly cut: object } | null }[];
};

let folder: CliFolder;
let session: string;
let events: readonly EventLine[];
beforeAll(async () => {
  folder = await CliFolder.shared();
  ({ session } = await folder.one<ImportLine>('import', SAMPLE, '--window', '32k'));
  events = await folder.lines<EventLine>('events', session);
});
afterAll(() => folder.remove());

const completed = () => events.filter(({ type }) => type === 'CompactionCompleted');
const idOf = ({ data }: EventLine): string => String(data.compactionId);

/** Guarantee: explanations of past and planned compactions are available, and record nothing. */
describe('explanations on the command line', () => {
  it('cover every compaction of the session, of which only the newest is in force', async () => {
    const standings: string[] = [];
    for (const event of completed()) {
      const one = await folder.one<ExplainAnswer>('explain', session, idOf(event));
      expect(one).toMatchObject({ kind: 'compaction', why: { trigger: 'threshold' } });
      expect(one.covered.ids).toHaveLength(one.covered.messages);
      expect(one.verified.countedAfter).toBeLessThanOrEqual(one.verified.countedLimit);
      standings.push(one.outcome.standing.is);
    }
    expect(standings.length).toBeGreaterThan(1);
    expect(standings.map((is) => is === 'in-force')).toEqual(
      standings.map((_, at) => at === standings.length - 1),
    );
  });

  it('are available as text', async () => {
    const [first] = completed();
    const { stdout } = await folder.attempt('explain', session, first ? idOf(first) : '');
    for (const word of [
      'why now',
      'threshold',
      'cut',
      'protected',
      'target',
      'covers',
      'verified',
      'summarizer',
    ])
      expect(stdout).toContain(word);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('print a summarized message, or a part of it, as it was appended', async () => {
    const [explained] = completed();
    const { covered } = await folder.one<ExplainAnswer>('explain', session, explained ? idOf(explained) : '');
    const [id = ''] = covered.ids;
    const exported = (await folder.lines<ExportLine>('export', session)).find((line) => line.id === id);
    expect(await folder.one('message', session, id)).toMatchObject({ id, content: exported?.content });
    const { stdout } = await folder.attempt(
      'message',
      session,
      id,
      '--block',
      '0',
      '--byte',
      '0',
      '--bytes',
      '8',
    );
    expect(stdout).toContain('bytes from 0: 8 of ');
  });

  it('trace a message to the compaction in force, and back', async () => {
    const { pivot } = await folder.one<ContextAnswer>('context', session);
    const [oldest, ...others] = await folder.lines<ExportLine>('export', session);
    const place = await folder.one<ProvenanceAnswer>('provenance', session, oldest?.id ?? '');
    expect(place.status).toBe('covered');
    expect(place.chain?.map(({ compactionId }) => compactionId)).toEqual(completed().map(idOf));
    expect(place.chain?.filter(({ isInForce }) => isInForce)).toMatchObject([{ compactionId: pivot }]);
    const newest = others.at(-1)?.id ?? '';
    expect(await folder.one('provenance', session, newest)).toMatchObject({ status: 'in-full' });
    expect(await folder.one('provenance', session, 'nosuch')).toMatchObject({ status: 'unknown' });
  });

  it('compare the contexts before and after a compaction', async () => {
    const [first] = completed();
    const at = first?.revision ?? 0;
    const asked = [session, String(at - 1), String(at)] as const;
    const diff = await folder.one<DiffAnswer>('diff', ...asked);
    const { covered } = await folder.one<ExplainAnswer>('explain', session, first ? idOf(first) : '');
    expect(diff.messages.onlyInA.map(({ id }) => id)).toEqual(covered.ids);
    expect(diff.messages.onlyInB).toEqual([]);
    expect(diff.b.summary?.compactionId).toBe(first && idOf(first));
    expect(diff.b.tokens).toBeLessThan(diff.a.tokens);
    expect(diff.messages.onlyInA[0]).not.toHaveProperty('content');
    const whole = await folder.one<DiffAnswer>('diff', ...asked, '--content');
    expect(whole.messages.onlyInA[0]?.content).not.toHaveLength(0);
  });

  it('plan under several profiles as compact --dry-run does under each', async () => {
    const { outcomes } = await folder.one<WhatIfAnswer>('what-if', session);
    expect(outcomes.length).toBeGreaterThan(1);
    for (const { profile, plan } of outcomes) {
      const dry = await folder.one<{ plan: { cut: object } | null }>(
        'compact',
        session,
        '--dry-run',
        '--profile',
        profile,
      );
      expect(plan?.cut).toEqual(dry.plan?.cut);
    }
    const one = await folder.one<WhatIfAnswer>('what-if', session, '--profile', 'deterministic');
    expect(one.outcomes.map(({ profile }) => profile)).toEqual(['deterministic']);
    const several = ['--profile', 'core', '--profile', 'deterministic'];
    const sideBySide = await folder.one<WhatIfAnswer>('compact', session, '--dry-run', ...several);
    expect(sideBySide).toEqual(await folder.one<WhatIfAnswer>('what-if', session, ...several));
  });

  it('list profiles and describe their fields, without a server', async () => {
    const [list] = await folder.lines<readonly { name: string }[]>('profiles');
    expect(list?.map(({ name }) => name)).toEqual(expect.arrayContaining(['core', 'deterministic']));
    const { fields } = await folder.one<{ fields: readonly object[] }>('profiles', 'show', 'core');
    expect(fields).toContainEqual(expect.objectContaining({ field: 'keepRecentTurns', value: 4 }));
  });

  it('record nothing', async () => {
    expect(await folder.lines<EventLine>('events', session)).toEqual(events);
  });

  it.each([
    [['explain', 'cmp_nosuch'], 'compaction-not-found', 1],
    [['diff', '0', '99999'], 'revision-not-found', 1],
    [['what-if', '--profile', 'nosuch'], 'unknown-profile', 1],
    [['compact', '--profile', 'core', '--profile', 'tail'], 'invalid-settings', 1],
  ])('reject in one line: %j', async ([command = '', ...words], code, exitCode) => {
    const result = await folder.attempt(command, session, ...words);
    expect({ ...result, stderr: '' }).toEqual({ exitCode, stdout: '', stderr: '' });
    expect(result.stderr).toMatch(new RegExp(`^palimpsest: .*\\[${code}\\]\\n$`));
  });

  it('reject an invalid revision', async () => {
    const { exitCode, stderr } = await folder.attempt('diff', session, 'one', '2');
    expect(exitCode).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
