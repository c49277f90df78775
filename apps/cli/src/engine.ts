import type * as Platform from '@app/platform';

/** Loads the engine on demand: commands that call a service over HTTP start in half the time without it. */
export const loadEngine = (): Promise<typeof Platform> => import('@app/platform');
