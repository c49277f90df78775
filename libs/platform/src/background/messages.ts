import type { AppConfig } from '../config.js';
import type { JoinedServers } from '../servers/joined-servers.js';
import type { MetricValues } from '../telemetry/metrics.js';

/** Argument of a worker that has a parent; process managers open a channel, too. */
export const CHILD = '--child';

export type ParentMessage =
  | { readonly kind: 'start'; readonly config: AppConfig; readonly servers: JoinedServers }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'stop' };

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'metrics'; readonly values: MetricValues };
