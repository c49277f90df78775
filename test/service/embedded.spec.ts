import { startEmbedded } from '@app/deployments';
import { describeService } from './service-suite.js';

// Everything in one process, on the embedded servers.
describeService({ name: 'embedded', start: startEmbedded });
