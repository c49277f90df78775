import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from './deployment.js';
import { newDataFolder, prepareDataFolder } from './processes/data-folder.js';
import type { Settings } from './processes/service-process.js';
import { Supervised } from './processes/supervised.js';
import { ADMIN_KEY } from './settings.js';

/** Starts the service with its worker and the embedded servers, like `npm start`. */
export const startEmbedded = async (settings: Settings = {}): Promise<Deployment> => {
  const { PALIMPSEST_DATA: given } = settings;
  const folder = given ?? (await newDataFolder('palimpsest-embedded-'));
  if (given !== undefined) await prepareDataFolder(given);
  const all = {
    PALIMPSEST_DATA: folder,
    PALIMPSEST_API_KEY: ADMIN_KEY,
    ...settings,
  };
  const api = await Supervised.start({ program: 'api', settings: all, port: 'PALIMPSEST_HTTP_PORT' });
  const url = await api.url();
  await untilBackground(url);
  return {
    url,
    adminKey: ADMIN_KEY,
    parts: ['api'],
    kill: (_, meanwhile) => api.kill(meanwhile),
    get unexpectedExits() {
      return api.unexpectedExits;
    },
    logs: () => api.lines,
    stop: async () => {
      const code = await api.end();
      if (given === undefined)
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      return [code];
    },
  };
};

/** Resolves when the roles in the background run, which start after the API. */
const untilBackground = async (url: string): Promise<void> => {
  for (;;) {
    const { worker }: { readonly worker?: string } = JSON.parse(await (await fetch(`${url}/health`)).text());
    if (worker === 'running') return;
    await pause(50);
  }
};
