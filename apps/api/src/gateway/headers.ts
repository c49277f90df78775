import { ladderPolicy } from '@app/contract';
import { LIMITS } from '@app/kernel';
import { z } from 'zod';
import { agentName, project } from '../sessions/description.js';
import { reason, sessionId, subjectName } from '../sessions/shapes.js';

/** Request headers of the gateway, beside those of the provider. */
export const gatewayHeaders = z.object({
  'x-palimpsest-session': sessionId
    .optional()
    .describe('The session; found by the request’s history by default'),
  'x-palimpsest-profile': z.string().min(1).max(64).optional().describe('The profile of a new session'),
  'x-palimpsest-window': z.coerce
    .number()
    .int()
    .min(0)
    .max(LIMITS.window.max)
    .optional()
    .describe('The window of a new session, in tokens; 0 is unlimited'),
  'x-palimpsest-agent': agentName
    .optional()
    .describe('The program that carries on a new session; known programs are told by their user agent'),
  'x-palimpsest-project': project.optional().describe('The project of a new session'),
  'x-palimpsest-subjects': z
    .string()
    .max(LIMITS.subjects.max * (LIMITS.subject.max + 1))
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(subjectName).min(1).max(LIMITS.subjects.max))
    .optional()
    .describe('Data subjects whose content the new messages are, separated by commas'),
  'x-palimpsest-recall': z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether a new session has the recall tool'),
  'x-palimpsest-override': reason
    .optional()
    .describe('Why the request is sent above its budget, for the audit'),
  'x-palimpsest-ladder': ladderPolicy
    .optional()
    .describe('`off` returns the provider’s overflow error instead of retrying with less'),
});
