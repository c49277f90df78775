import { z } from 'zod';
import { isoTime } from './scalars.js';

/** The head of a log that a verification has found valid. */
export const verifiedHead = z
  .strictObject({
    origin: z.string().min(1),
    size: z.int().min(0),
    root: z.string().describe('32 bytes, base64'),
    keys: z.array(z.string()).describe('vkeys (C2SP signed-note)'),
  })
  .meta({ id: 'VerifiedHead' });

const outcome = ['invalid', 'incomplete', 'unknown-key', 'malformed'] as const;
/** Result of the verification of a running installation. */
export const liveReport = z
  .object({
    outcome: z.enum(['valid', ...outcome]),
    logs: z.int(),
    leaves: z.int(),
    events: z.int().describe('Events that match their log'),
    newerEvents: z.int().describe('Events that no signed checkpoint contains yet'),
    tables: z.int(),
    rows: z.int(),
    findings: z
      .array(
        z
          .object({
            part: z.enum(['log', 'events', 'rows']),
            outcome: z.enum(outcome),
            tenant: z.string().nullable(),
            detail: z.string(),
          })
          .meta({ id: 'LiveFinding' }),
      )
      .describe('At most 1,000'),
    findingCount: z.int(),
    heads: z
      .array(verifiedHead)
      .describe('The newest head of each log without a finding: store it for the next verification'),
  })
  .meta({ id: 'LiveReport' });

/** The witnesses of a transparency log. */
export const logWitnesses = z
  .object({
    keys: z.array(z.string()).describe("The log's own keys as vkeys, which its witnesses need"),
    size: z.int().describe('Leaves of the newest checkpoint'),
    quorum: z.string().describe('Witness or group of the policy that must cosign, or `none`'),
    witnessedSize: z
      .int()
      .nullable()
      .describe('Leaves of the newest checkpoint that the quorum has cosigned; `null` without one'),
    witnesses: z.array(
      z
        .object({
          name: z.string().describe('Name in the policy'),
          key: z.string().describe('A vkey (C2SP signed-note)'),
          url: z.string().describe('Base URL; `add-checkpoint` is appended'),
          size: z.int().nullable().describe('Leaves of the tree that it cosigned last'),
          cosignedAt: isoTime.nullable(),
          problem: z.string().nullable().describe('Why it has not cosigned a newer tree'),
          failingSince: isoTime.nullable(),
        })
        .meta({ id: 'LogWitness' }),
    ),
  })
  .meta({ id: 'LogWitnesses' });
