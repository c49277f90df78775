import { basename } from 'node:path';
import type { LadderPolicy } from '@app/domain';
import type { Agent } from './agents.js';

/** Options that describe the sessions of a run. */
export type RunHeaders = {
  readonly profile?: string;
  readonly window?: number;
  readonly recall?: true;
  readonly ladder?: LadderPolicy;
  readonly title?: string;
  readonly project?: string;
  readonly user?: string;
  readonly customer?: string;
  readonly label: Readonly<Record<string, string>>;
};

/** Returns the headers of every request of a run. Characters outside ASCII are percent-encoded. */
export const headersOf = (
  agent: Agent,
  {
    profile,
    window,
    recall,
    ladder,
    title,
    project = basename(process.cwd()),
    user,
    customer,
    label,
  }: RunHeaders,
  apiKey: string,
): Readonly<Record<string, string>> => {
  const labels = Object.entries(label).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return {
    'x-palimpsest-key': apiKey,
    'x-palimpsest-agent': agent.name,
    'x-palimpsest-project': encoded(project),
    ...(profile !== undefined && { 'x-palimpsest-profile': profile }),
    ...(window !== undefined && { 'x-palimpsest-window': String(window) }),
    ...(recall && { 'x-palimpsest-recall': 'on' }),
    ...(ladder && { 'x-palimpsest-ladder': ladder }),
    ...(title !== undefined && { 'x-palimpsest-title': encoded(title) }),
    ...(user !== undefined && { 'x-palimpsest-user': encoded(user) }),
    ...(customer !== undefined && { 'x-palimpsest-customer': encoded(customer) }),
    ...(labels.length > 0 && { 'x-palimpsest-labels': labels.join(',') }),
  };
};

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', ' ');
