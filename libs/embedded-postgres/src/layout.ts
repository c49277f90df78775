import { join } from 'node:path';

/** The packaged major version, which opens only clusters of the same version. */
export const MAJOR_VERSION = 18;
/** The database and its owner. The role is no superuser: it has no access to files and programs. */
export const DATABASE = 'palimpsest';
/** The role for tenants' reads: owns nothing and is subject to every row-level policy. */
export const READER = 'palimpsest_reader';

/** File names in a data folder. Other files are foreign. */
export const CLUSTER = 'cluster';
export const SERVER_LOG = 'server.log';
export const OLDER_LOG = 'server.log.1';
export const LIBRARIES = 'lib';
export const OWNER_PREFIX = 'owner.';
export const DRAFT_PREFIX = 'initializing-';

export const clusterOf = (dataDir: string): string => join(dataDir, CLUSTER);
/** Inside the cluster, so that the rename that makes a cluster final includes its password. */
export const passwordFileOf = (cluster: string): string => join(cluster, 'palimpsest.password');
/** Marks a cluster that has all grants, which older ones lack. */
export const grantsFileOf = (cluster: string): string => join(cluster, 'palimpsest.grants');
export const postmasterPidFileOf = (cluster: string): string => join(cluster, 'postmaster.pid');

/** Whether the operating system creates a file of this name; a folder with only such files counts as empty. */
export const isSystemFile = (name: string): boolean => name === 'lost+found' || name === '.DS_Store';
/** Whether a file of this name in a data folder is Palimpsest's. */
export const isOwnFile = (name: string): boolean =>
  [CLUSTER, SERVER_LOG, OLDER_LOG, LIBRARIES].includes(name) ||
  name.startsWith(OWNER_PREFIX) ||
  name.startsWith(DRAFT_PREFIX);
