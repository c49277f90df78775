import type { ExtensionAPI } from '@mariozechner/pi-coding-agent';

/** In the place of the adapter: nothing, since pi compacts by itself; the sample gets the window and settings of its ratio. */
export const palimpsest = () => Object.assign((_: ExtensionAPI) => {}, { flush: async () => true });
