import { writeFileSync } from 'node:fs';
import { KEY_PERMISSIONS, KEY_ROLES, sessionEventTypes, tenantDecisionTypes } from '@app/domain';
import { FORMATS } from '@app/formats';
import { ERROR_CODES } from '@app/kernel';
import { expect, it } from '@jest/globals';
import { sectionsOf } from './support/markdown.js';
import { place, textOf } from './support/project.js';

const LINE_MAX = 110;
const unionOf = (comment: string, name: string, members: readonly string[]): string => {
  const line = `export type ${name} = ${members.map((member) => `'${member}'`).join(' | ')};`;
  const lines = `export type ${name} =\n${members.map((member) => `  | '${member}'`).join('\n')};`;
  return `/** ${comment} */\n${line.length > LINE_MAX ? lines : line}\n`;
};

/** The client depends on no other part: the names that it shares are generated into it from their registries. */
const GENERATED = [
  [
    'libs/client/src/types/error-code.ts',
    unionOf(
      'Every stable error code: `docs/errors/README.md` explains each.',
      'ErrorCode',
      [...ERROR_CODES].sort(),
    ),
  ],
  [
    'libs/client/src/types/event-type.ts',
    [
      unionOf(
        'Every type of event of a session: `docs/guides/event-log.md` explains each.',
        'EventType',
        [...sessionEventTypes()].sort(),
      ),
      unionOf(
        'Every type of event of a tenant itself: keys, limits, secrets, summarizers, models and webhooks.',
        'TenantEventType',
        [...tenantDecisionTypes()].sort(),
      ),
      '/** Every type of audit row. */\nexport type AuditEventType = EventType | TenantEventType;\n',
    ].join('\n'),
  ],
  [
    'libs/client/src/types/names.ts',
    [
      unionOf('The work that a key may do.', 'KeyRole', KEY_ROLES),
      unionOf(
        'Rights that a key may have besides its role: `content:read` shows text of users and models.',
        'KeyPermission',
        KEY_PERMISSIONS,
      ),
      unionOf(
        'Formats of transcripts that an import detects.',
        'TranscriptFormat',
        FORMATS.map(({ name }) => name),
      ),
    ].join('\n'),
  ],
] as const;

it.each(GENERATED)('contains a current %s (WRITE_NAMES=1 regenerates it)', (path, text) => {
  if (process.env.WRITE_NAMES === '1') writeFileSync(place(path), text);
  expect(textOf(path)).toBe(text);
});

it('lists every transcript format in the guide to importing', () => {
  const formats = sectionsOf(textOf('docs/guides/importing.md'), 2).find(
    ({ heading }) => heading === 'Formats',
  );
  const listed = [...(formats?.body ?? '').matchAll(/^- `([a-z-]+)`:/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(FORMATS.map(({ name }) => name).sort());
});
