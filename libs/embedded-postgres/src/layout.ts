import { join } from 'node:path';

/** The major version that the packages ship; a cluster of another one cannot be opened. */
export const MAJOR_VERSION = 18;
/** The database, and the role that owns it. The role is no superuser: it reaches no files and no programs. */
export const DATABASE = 'palimpsest';
/** The role that this one becomes where it reads for a tenant: it owns nothing, and no policy lets it pass. */
export const READER = 'palimpsest_reader';

/** The names in a data folder. Whatever else lies there is somebody else's. */
export const CLUSTER = 'cluster';
export const SERVER_LOG = 'server.log';
export const OLDER_LOG = 'server.log.1';
export const LIBRARIES = 'lib';
export const OWNER_PREFIX = 'owner.';
export const DRAFT_PREFIX = 'initializing-';

export const clusterOf = (dataDir: string): string => join(dataDir, CLUSTER);
/** Within the cluster, so that the rename which makes a cluster real brings its password along. */
export const passwordFileOf = (cluster: string): string => join(cluster, 'palimpsest.password');
/** Says that the cluster has the reader: clusters of before there was one do not. */
export const readerFileOf = (cluster: string): string => join(cluster, 'palimpsest.reader');
export const postmasterPidFileOf = (cluster: string): string => join(cluster, 'postmaster.pid');

/** What systems put into folders of their own accord: a folder that holds only these counts as empty. */
export const isNobodys = (name: string): boolean => name === 'lost+found' || name === '.DS_Store';
/** Whether a file of this name in a data folder is one of ours. */
export const isOurs = (name: string): boolean =>
  [CLUSTER, SERVER_LOG, OLDER_LOG, LIBRARIES].includes(name) ||
  name.startsWith(OWNER_PREFIX) ||
  name.startsWith(DRAFT_PREFIX);
