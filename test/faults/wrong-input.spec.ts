// User errors: each is reported in one line with problem and remedy, on stderr only, without a secret;
// nothing is half-written, and the next command works.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shell } from '../support/shell/shell.js';
import { expectRefusal, expectRefused, SECRET } from './support/expect-refused.js';
import { Folders } from './support/folders.js';
import { imported, sessionsOf } from './support/histories.js';
import { processesOf } from './support/processes.js';

const folders = new Folders();
const data = folders.next();
const shell = new Shell();
let session: string;

const file = (name: string, content: string): string => {
  const path = join(folders.home, name);
  writeFileSync(path, content);
  return path;
};

beforeAll(async () => {
  session = await imported(['import', '--data', data, folders.transcript(2)]);
});

afterAll(async () => {
  // Rejected commands have left no trace.
  await shell.end();
  expect(await sessionsOf(data)).toMatchObject([{ session, messages: 12 }]);
  expect(processesOf(data)).toEqual([]);
  folders.remove();
});

const refused = async (
  args: readonly string[],
  says: RegExp,
  env?: Record<string, string>,
): Promise<void> => {
  const { exitCode, ...said } = await shell.run(args, env);
  expectRefusal({ code: exitCode, signal: null, ...said }, says);
};

it('a child process exits with 2 for wrong usage, and with 1 for a rejection', async () => {
  await expectRefused(['sessions', '--nope'], /unknown option '--nope'.*--help/);
  await expectRefused(['events', 'a/b'], /not a session id.*\[invalid-id\]/);
});

it('a verifier that cannot read a file ends with a code that is no outcome', async () => {
  const missing = join(folders.home, 'missing.palimpsest');
  const empty = file('empty.palimpsest', '');
  for (const args of [[missing], [empty, '--policy', missing], [empty, '--remember', folders.home]]) {
    const { exitCode, stdout, stderr } = await shell.run(['verify', ...args]);
    expect([args, exitCode, stdout, stderr]).toEqual([
      args,
      5,
      '',
      expect.stringMatching(/\[unreadable-file\]\n$/),
    ]);
  }
  expect(await shell.run(['verify', empty])).toMatchObject({ exitCode: 4 });
  // The code for wrong usage of other commands is an outcome here.
  for (const args of [[], [empty, empty], [empty, '--nope'], ['--page', join(empty, 'page.html')]])
    expect([args, (await shell.run(['verify', ...args])).exitCode]).toEqual([args, 5]);
  const program = fileURLToPath(new URL('../../libs/proof/python/verify_proof.py', import.meta.url));
  const inPython = (...args: readonly string[]) => spawnSync('python3', ['-B', program, ...args]).status;
  expect([inPython(missing), inPython(empty, '--policy', missing), inPython(empty)]).toEqual([5, 5, 4]);
  expect([inPython(), inPython(empty, '--nope'), inPython(empty, '--policy', empty)]).toEqual([5, 5, 5]);
});

describe('wrong usage', () => {
  it.each<readonly [line: string, says: RegExp]>([
    ['nope', /unknown command 'nope': `palimpsest --help` lists/],
    ['sessionz', /unknown command 'sessionz' \(did you mean "sessions"\?\)/],
    ['usag', /unknown command 'usag' \(did you mean "usage"\?\)/],
    ['sessions --limt 3', /\(did you mean "--limit"\?\): `palimpsest sessions --help`/],
    ['projections nope', /unknown command 'nope': `palimpsest projections --help` lists/],
    ['keys lst', /unknown command 'lst' \(did you mean "list"\?\): `palimpsest keys --help`/],
    ['eventstore verfy', /unknown command 'verfy' \(did you mean "verify"\?\)/],
    ['profiles core', /unknown command 'core' \(did you mean "show core"\?\)/],
    ['profiles list core', /too many arguments.*`palimpsest profiles list --help`/],
    ['sessions --state warnin', /'--state <state>' does not take 'warnin'.*\(did you mean "warning"\?\)/],
    ['keys revoke x', /argument <key> does not take 'x': not a key id/],
    ['--nope sessions', /unknown option '--nope'.*--help/],
    ['sessions --nope', /unknown option '--nope'.*--help/],
    ['sessions extra', /too many arguments.*--help/],
    ['import', /missing required argument 'sources'.*--help/],
    ['events', /missing required argument 'session'.*--help/],
    ['import --window', /'--window <tokens>' argument missing.*--help/],
    ['import --window -1 x', /such as 32000 or 32k/],
    ['import --window 8q x', /such as 32000 or 32k/],
    ['context s --as-of -1', /give a revision such as 12, the id of a request such as .*, or a time/],
    ['context s --as-of 1.5', /give a revision such as 12, the id of a request such as .*, or a time/],
    ['context s --format nope', /does not take 'nope': give one of anthropic/],
    ['events s --from x', /give a whole number from 0/],
    ['audit --since yesterday', /give a time such as/],
    ['audit --until 2026-99-99', /give a time such as/],
    ['audit --limit 0', /give a whole number from 1/],
    ['audit --limit ten', /give a whole number from 1/],
    ['audit --type Xyz', /such as CompactionCompleted/],
    ['audit --since 2', /does not take '2': give a time such as/],
    ['audit --since 2026-11-21T09:30', /does not take '2026-11-21T09:30': give a time such as/],
    ['retention set s --mode compliance --until 2033-02-30', /'2033-02-30': give a time such as/],
    ['context s --as-of 2026-02-30', /does not take '2026-02-30': not a state of a session/],
    ['audit --format nope', /does not take 'nope': give one of table/],
    ['sessions --tenant a/b', /use letters, digits and _/],
    ['sessions --data=', /--data <dir>.*give a value, or leave the option out/],
    ['sessions --postgres-url=', /--postgres-url <url>.*give a value/],
    ['sessions --eventstore-port x', /EVENTSTORE_PORT: give a port.*\[invalid-configuration\]/],
    ['sessions --eventstore-port 70000', /EVENTSTORE_PORT: give a port.*\[invalid-configuration\]/],
    ['sessions --postgres-port -1', /POSTGRES_PORT: give a port.*\[invalid-configuration\]/],
    ['sessions --eventstore-url nope', /EVENTSTORE_URL: give esdb:.*\[invalid-configuration\]/],
    [`sessions --eventstore-url http://u:${SECRET}@h`, /give esdb:.*\[invalid-configuration\]/],
    ['sessions --postgres-url nope', /POSTGRES_URL: give postgres:.*\[invalid-configuration\]/],
    [`sessions --postgres-url mysql://u:${SECRET}@h/d`, /give postgres:.*\[invalid-configuration\]/],
    [`settings s --model ${'m'.repeat(201)}`, /--model.*a name of at most 200 characters/],
    ['settings s --window 2000000000', /--window.*at most 1,000,000,000/],
    ['settings s --set a=1e400', /--set.*a number beyond 1\.8e308/],
    [`close s --reason ${'r'.repeat(2_001)}`, /--reason.*at most 2000 characters/],
    [`complete-turn s --reason ${'r'.repeat(201)}`, /--reason.*at most 200 characters/],
    [`open s --label ${'l'.repeat(65)}=x`, /--label.*a name of at most 64/],
    ['events a/b', /not a session id.*\[invalid-id\]/],
    ['projections rebuild nope', /use one of sessions.*\[unknown-projection\]/],
  ])(
    'is rejected: %s',
    // No server is started: a missing folder stays missing.
    async (line, says) => {
      const folder = folders.next();
      await refused(line.split(' '), says, { PALIMPSEST_DATA: folder });
      expect(existsSync(folder)).toBe(false);
    },
  );
});

describe('missing sessions', () => {
  beforeAll(() => shell.open(data));
  afterAll(() => shell.close());

  it.each<readonly [args: readonly string[], says: RegExp]>([
    [['events', 'none'], /no session "none".*`palimpsest sessions` lists.*\[session-not-found\]/],
    [['export', 'none'], /\[session-not-found\]/],
    [['context', 'none'], /\[session-not-found\]/],
    [['compact', 'none'], /\[session-not-found\]/],
    [['compact', 'SESSION', '--profile', 'none'], /use one of.*\[unknown-profile\]/],
    [['context', 'SESSION', '--as-of', '5000'], /its newest, \d+ \[revision-not-found\]/],
    [['events', 'SESSION', '--from', '5000'], /its newest, \d+ \[revision-not-found\]/],
  ])('are rejected by %j', async (args, says) => {
    const given = args.map((arg) => (arg === 'SESSION' ? session : arg));
    await refused([...given, '--data', data], says);
  });
});

describe('files that cannot be imported', () => {
  beforeAll(() => shell.open(data));
  afterAll(() => shell.close());

  it.each<readonly [name: string, content: string, says: RegExp]>([
    ['empty', '', /is empty.*\[nothing-to-import\]/],
    ['blank', '  \n\n', /is empty.*\[nothing-to-import\]/],
    ['no-messages.json', '{"messages":[]}', /is empty.*\[nothing-to-import\]/],
    ['prose.txt', 'It was a dark and stormy night.', /use one of claude-code.*\[unknown-format\]/],
    ['other.json', '{"a":1}', /\[unknown-format\]/],
    ['bytes', '\u0000\u0001\u0002\uffff\u0000', /\[unknown-format\]/],
    ['cut.json', '{"messages":[{"role":"user","content":"hi"', /breaks at line 1.*\[unknown-format\]/],
  ])('rejects %s', (name, content, says) => refused(['import', '--data', data, file(name, content)], says));

  it('rejects a missing file', () =>
    refused(['import', '--data', data, join(folders.home, 'none')], /ENOENT.*\[unreadable-file\]/));
  it('rejects a pattern without matches', () =>
    refused(['import', '--data', data, join(folders.home, '*.none')], /has no files.*\[unreadable-file\]/));
  it('rejects an unknown profile for a valid file', () =>
    refused(
      ['import', '--data', data, '--tenant', 'other', '--profile', 'none', folders.transcript(2)],
      /use one of.*\[unknown-profile\]/,
    ));
});
