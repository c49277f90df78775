import { writeFileSync } from 'node:fs';
import { sessionEventTypes, tenantDecisionTypes } from '@app/domain';
import { ERROR_CODES } from '@app/kernel';
import { expect, it } from '@jest/globals';
import { place, textOf } from './support/project.js';

const unionOf = (comment: string, name: string, members: readonly string[]): string =>
  `/** ${comment} */\nexport type ${name} =\n${members.map((member) => `  | '${member}'`).join('\n')};\n`;

/** The client depends on no other part: names that it shares with them are written into it from their registries. */
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
] as const;

it.each(GENERATED)('has a current %s: WRITE_NAMES=1 writes it anew', (path, text) => {
  if (process.env.WRITE_NAMES === '1') writeFileSync(place(path), text);
  expect(textOf(path)).toBe(text);
});
