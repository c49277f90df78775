import { startEmbedded } from '@app/deployments';
import { describeService } from './service-suite.js';

// Everything in one process, on the embedded parts.
describeService({ name: 'embedded', start: startEmbedded });
