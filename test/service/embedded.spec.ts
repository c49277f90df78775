import { startEmbedded } from '@app/deployments';
import { describeService, SUITE_SETTINGS } from './service-suite.js';

// Everything in one process, on the embedded parts.
describeService({ name: 'embedded', start: () => startEmbedded(SUITE_SETTINGS) });
