import { startEmbedded } from '@app/deployments';
import { describeService } from './service-suite.js';

// One service with the child processes that it starts, on the embedded servers.
describeService({ name: 'embedded', start: startEmbedded });
