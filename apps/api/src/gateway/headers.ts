import { ladderPolicy } from '@app/contract';
import { LIMITS, setMember } from '@app/kernel';
import { z } from 'zod';
import { agentName, customer, labels, project, title, user } from '../sessions/description.js';
import { reason, sessionId, subjectName } from '../sessions/shapes.js';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
/** Header values are ASCII: other characters are percent-encoded. A value that is not is taken as it is. */
const decodable = z.string().transform(decoded);

/** Returns labels by name; a part without `=` is a name with an empty value. */
const labelsIn = (text: string): Readonly<Record<string, string>> => {
  const given: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [name = '', ...value] = part.trim().split('=');
    setMember(given, decoded(name.trim()), decoded(value.join('=').trim()));
  }
  return given;
};

/** Request headers of the gateway, beside those of the provider. */
export const gatewayHeaders = z.strictObject({
  'x-palimpsest-session': sessionId
    .exactOptional()
    .describe('The session; by default the one with the request’s history'),
  'x-palimpsest-profile': z.string().min(1).max(64).exactOptional().describe('The profile of a new session'),
  'x-palimpsest-window': z.coerce
    .number()
    .int()
    .min(0)
    .max(LIMITS.window.max)
    .exactOptional()
    .describe('The window of a new session, in tokens; 0 is unlimited'),
  'x-palimpsest-agent': agentName
    .exactOptional()
    .describe('Agent program of a new session; known programs are recognized by their user agent'),
  'x-palimpsest-subjects': z
    .string()
    .max(LIMITS.subjects.max * (LIMITS.subject.max + 1))
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(subjectName).min(1).max(LIMITS.subjects.max))
    .exactOptional()
    .describe('Data subjects of the new messages, separated by commas'),
  'x-palimpsest-title': decodable
    .pipe(title)
    .exactOptional()
    .describe('The title of a new session; characters outside ASCII percent-encoded'),
  'x-palimpsest-project': decodable
    .pipe(project)
    .exactOptional()
    .describe('The project of a new session; characters outside ASCII percent-encoded'),
  'x-palimpsest-user': decodable
    .pipe(user)
    .exactOptional()
    .describe('User ID of a new session, stored as the label `user`'),
  'x-palimpsest-customer': decodable
    .pipe(customer)
    .exactOptional()
    .describe(
      'Customer ID of a new session, stored as the label `customer` and as a data subject of its content',
    ),
  'x-palimpsest-labels': z
    .string()
    .transform(labelsIn)
    .pipe(labels)
    .exactOptional()
    .describe('Labels of a new session: `name=value,name=value`, each part percent-encoded where needed'),
  'x-palimpsest-recall': z
    .enum(['on', 'off'])
    .exactOptional()
    .describe('Whether a new session has the recall tool'),
  'x-palimpsest-fail-open': z
    .enum(['on', 'off'])
    .exactOptional()
    .describe('`off` fails requests while the service cannot record, instead of forwarding them unchanged'),
  'x-palimpsest-override': reason
    .exactOptional()
    .describe('Why the request is sent above its budget, for the audit'),
  'x-palimpsest-ladder': ladderPolicy
    .exactOptional()
    .describe('`off` returns the provider’s overflow error instead of retrying with less'),
});
