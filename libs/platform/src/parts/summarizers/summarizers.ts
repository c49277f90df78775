import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import { observeSummarizer } from '../../telemetry/observe-summarizer.js';
import { part } from '../parts.js';
import { configuredSummarizers } from './configured-summarizers.js';
import { operatorKeys } from './operator-keys.js';

/** The summarizers by name, for a tenant and a session, and the one without a model. */
export const SUMMARIZERS = [
  part('facts', ['counter'], ({ counter }) => extractiveSummarizer(counter)),
  part(
    'summarizers',
    ['config', 'facts', 'metrics', 'tenants', 'secrets', 'models'],
    async ({ metrics, facts, ...parts }) =>
      configuredSummarizers({
        ...parts,
        extractive: facts,
        keys: await operatorKeys(parts.config),
        observe: (summarizer) => observeSummarizer(summarizer, metrics),
      }),
  ),
];
