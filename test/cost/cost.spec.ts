import * as application from '@app/application';
import { FORMATS } from '@app/formats';
import { readTranscript } from '@app/testing';
import { describe, expect, it } from '@jest/globals';
import { filesUnder, textOf } from '../architecture/support/project.js';
import { EXEMPT, ROUTES } from './support/exempt.js';
import { callWith, countWith, GATEWAY_SHAPES, openGateway, readAll } from './support/gateway-cases.js';
import { GROWTH_MAX, type Growth, growthOf, isTooMuch, type Prepare } from './support/growth.js';
import {
  attempted,
  LARGE_COMMANDS,
  SESSION_CASES,
  SLOW_CASES,
  SMALL,
  worldsOf,
} from './support/session-cases.js';
import { SHAPES } from './support/session-shapes.js';
import { TENANT_CASES, TENANT_SHAPES, tenantsOf } from './support/tenant-cases.js';
import { TRANSCRIPT_SHAPES } from './support/transcript-shapes.js';

/**
 * Every piece of work with every dimension that a caller controls, doubled three times. The rule: at most n log n.
 *
 * | dimension                                                        | of                                   | where                 |
 * | ---------------------------------------------------------------- | ------------------------------------ | --------------------- |
 * | messages, blocks, calls, results, pins, sub-agents, compactions, | commands and queries on a session    | `SHAPES` ×            |
 * | marks, bills, requests, attempts, settings, tools, lengths       |                                      | `SESSION_CASES`       |
 * | messages, blocks, calls, tools, contributions, lengths           | the command itself                   | `LARGE_COMMANDS`      |
 * | keys, rotations, changes of webhooks, models and secrets         | commands and queries on a tenant     | `TENANT_SHAPES` ×     |
 * |                                                                  |                                      | `TENANT_CASES`        |
 * | messages, blocks, calls, lengths                                 | requests of the gateway's clients    | `GATEWAY_SHAPES`      |
 * | steps, compactions, branches, calls, lines, members, lengths     | readers of transcripts               | `TRANSCRIPT_SHAPES`   |
 *
 * Sessions and tenants are no dimension of a command or a query: each reads one stream, and a process keeps others in maps by
 * name. Lists of them are paged. Forks are separate sessions, and their source records nothing about them. Names, labels and
 * nesting have limits (docs/limits.md), and so have webhooks, models, prompts and secrets.
 */
const OFTEN = /^(pins$|calls of a message, answered by one|calls and results of one id|messages of one role)/;

/** Returns the cases that grow too fast, with the milliseconds of CPU at each size. */
const tooMuch = async (name: string, prepare: Prepare, size: number): Promise<readonly string[]> => {
  const growth = await growthOf(prepare, size);
  return growth && isTooMuch(growth) ? [`${name}: ${told(growth)}`] : [];
};
const told = ({ mean, last, times }: Growth): string =>
  `${mean.toFixed(2)} times for each doubling, ${last.toFixed(2)} times for the last (${times.map((time) => time.toFixed(1)).join(', ')} ms)`;

/** All shapes take many minutes: `PALIMPSEST_COST=all` measures them; the default is the shapes that had findings. */
const measuredShapes =
  process.env.PALIMPSEST_COST === 'all' ? SHAPES : SHAPES.filter(({ name }) => OFTEN.test(name));

describe.each(measuredShapes)(`a session with twice as many: $name`, (shape) => {
  it(`costs at most ${GROWTH_MAX} times as much in every command and query`, async () => {
    const worlds = worldsOf(shape);
    const reading: Prepare = (size) => {
      const { sessions } = worlds.cold(size);
      return () => sessions.load(worlds.ref);
    };
    const found = [await tooMuch('reading it from the log', reading, shape.size)];
    const slow = process.env.PALIMPSEST_COST === 'all' ? SLOW_CASES : [];
    for (const { name, run } of [...SESSION_CASES, ...slow]) {
      const prepare: Prepare = async (size) => {
        const warm = await worlds.warm(size);
        return () => attempted(run(warm));
      };
      found.push(await tooMuch(name, prepare, shape.size));
    }
    expect(found.flat()).toEqual([]);
  });
});

it.each(LARGE_COMMANDS)(
  `$name: twice as many costs at most ${GROWTH_MAX} times as much`,
  async ({ name, size, make }) => {
    const worlds = worldsOf(SMALL);
    const prepare: Prepare = async (count) => {
      const { commands } = await worlds.warm(1);
      const command = make(count);
      return () => commands.execute(command);
    };
    expect(await tooMuch(name, prepare, size)).toEqual([]);
  },
);

it.each(TENANT_SHAPES)(
  `a tenant with twice as many costs at most ${GROWTH_MAX} times as much in every command and query: $name`,
  async (shape) => {
    const open = tenantsOf(shape);
    const found: (readonly string[])[] = [];
    for (const { of, run } of TENANT_CASES) {
      const prepare: Prepare = (size) => {
        const { tenants, log } = open(size);
        return () => attempted(run(tenants, log));
      };
      found.push(await tooMuch(nameOf(of), prepare, shape.size));
    }
    expect(found.flat()).toEqual([]);
  },
);

describe.each(GATEWAY_SHAPES)(
  'a gateway client of $client.path with twice as many: $name',
  ({ client, name, size, messages }) => {
    it(`costs at most ${GROWTH_MAX} times as much, at its first request and with a cached history`, async () => {
      const first: Prepare = (count) => {
        const [gateway, call] = [openGateway(client), callWith(client, messages(count))];
        return async () => expect(await readAll(await gateway.serve(call))).toBe(200);
      };
      const known = async (count: number) => {
        const [gateway, sent] = [openGateway(client), messages(count)];
        await readAll(await gateway.serve(callWith(client, sent)));
        return { gateway, history: [...sent, client.answered, { role: 'user', content: 'Go on.' }] };
      };
      const next: Prepare = async (count) => {
        const { gateway, history } = await known(count);
        const call = callWith(client, history);
        return async () => expect(await readAll(await gateway.serve(call))).toBe(200);
      };
      const counted: Prepare = async (count) => {
        const { gateway, history } = await known(count);
        const call = countWith(client, history);
        return async () => expect(await readAll(await gateway.count(call))).toBe(200);
      };
      expect([
        ...(await tooMuch(`first: ${name}`, first, size)),
        ...(await tooMuch(`next: ${name}`, next, size)),
        ...(client.wire === 'anthropic' ? await tooMuch(`count: ${name}`, counted, size) : []),
      ]).toEqual([]);
    });
  },
);

it.each(TRANSCRIPT_SHAPES)(
  `a transcript of $format with twice as many $dimension costs at most ${GROWTH_MAX} times as much to read`,
  async ({ format, dimension, size, text }) => {
    const texts = new Map<number, string>();
    const prepare: Prepare = (count) => {
      const content = texts.get(count) ?? text(count);
      texts.set(count, content);
      return () => readTranscript(content, { chunkBytes: 65_536 });
    };
    if (format !== 'any') expect((await readTranscript(text(2), { chunkBytes: 65_536 })).format).toBe(format);
    expect(await tooMuch(`${format}: ${dimension}`, prepare, size)).toEqual([]);
  },
);

const nameOf = (of: unknown): string => (typeof of === 'function' ? of.name : String(of));

describe('coverage of cost cases', () => {
  const handled = application.registeredHandlers().map(({ message }) => message);
  const measured = new Set([...SESSION_CASES, ...LARGE_COMMANDS, ...TENANT_CASES].map(({ of }) => of));

  it('finds the commands and the queries', () => {
    expect(handled.length).toBeGreaterThan(50);
    expect(handled).toEqual(expect.arrayContaining([application.AppendMessages, application.GetContext]));
  });

  it('registers each class of handlers', () => {
    const registered = new Set<unknown>(application.registeredHandlers().map(({ handler }) => handler));
    const classes = Object.values<unknown>(application).filter((one) => /[a-z]Handler$/.test(nameOf(one)));
    expect(classes.length).toBeGreaterThan(50);
    expect(classes.filter((one) => !registered.has(one)).map(nameOf)).toEqual([]);
  });

  it('has a case or an exemption for each command and query', () => {
    const without = handled.filter((of) => !measured.has(of) && !EXEMPT.has(of)).map(nameOf);
    expect(without).toEqual([]);
    expect([...EXEMPT.keys()].filter((of) => measured.has(of)).map(nameOf)).toEqual([]);
  });

  it('has a case for each transcript format', () => {
    const read = new Set(TRANSCRIPT_SHAPES.map(({ format }) => format));
    expect(FORMATS.map(({ name }) => name).filter((name) => !read.has(name))).toEqual([]);
  });

  it('has a command, a query or a case for each route', () => {
    const names = new Set(handled.map(nameOf));
    const routes = filesUnder('apps/api/src')
      .filter((path) => textOf(path).includes('@Controller('))
      .flatMap((path) => routesIn(textOf(path), names));
    expect(routes.length).toBeGreaterThan(70);
    const bare = routes.filter(({ runs }) => runs.length === 0).map(({ route }) => route);
    expect(bare.sort()).toEqual([...ROUTES.keys()].sort());
  });
});

/** Returns the routes of a controller, each with its commands and queries. */
const routesIn = (source: string, names: ReadonlySet<string>) =>
  source
    .split('@Endpoint(')
    .slice(1)
    .map((endpoint) => {
      const [, method, path] = /^\s*'([A-Z]+)',\s*'([^']+)'/.exec(endpoint) ?? [];
      const made = [...endpoint.matchAll(/new (\w+)\(/g)].map(([, name = '']) => name);
      return { route: `${method} ${path}`, runs: made.filter((name) => names.has(name)) };
    });
