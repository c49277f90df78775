import { type OpenSessionRequest, PalimpsestClient, type PalimpsestError } from '@palimpsest/client';

/** Settings of every adapter. Those of {@link OpenSessionRequest} apply when the adapter opens the session. */
export type AdapterOptions = Omit<OpenSessionRequest, 'session' | 'system' | 'tools'> & {
  /** ID of the session: letters, digits and `_ . : -`. */
  readonly session: string;
  /** URL of the service; by default `PALIMPSEST_URL`, or `http://127.0.0.1:8420`. */
  readonly url?: string | URL;
  /** By default `PALIMPSEST_API_KEY`. */
  readonly apiKey?: string;
  /** Replaces the client that `url` and `apiKey` describe. Its retries delay the agent while the service is away. */
  readonly client?: PalimpsestClient;
  /** Milliseconds that a request of the agent waits for the service; 60,000 by default. */
  readonly timeoutMs?: number;
  /** `true` (default): the agent continues on its own history while the service fails. `false`: the failure is thrown. */
  readonly failOpen?: boolean;
  /** Is called once at the start of an outage; by default it prints a warning. */
  readonly onProblem?: (error: PalimpsestError) => void;
};

export const TIMEOUT_MS = 60_000;

export const keyOf = ({ apiKey }: AdapterOptions): string => apiKey ?? process.env.PALIMPSEST_API_KEY ?? '';

/** Returns the client of the options. It retries nothing: the mirror sends everything again that was not answered. */
export const clientOf = (options: AdapterOptions): PalimpsestClient =>
  options.client ??
  new PalimpsestClient({
    url: options.url ?? process.env.PALIMPSEST_URL ?? 'http://127.0.0.1:8420',
    apiKey: keyOf(options),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retries: 0,
  });

/** Returns the settings with which the service opens a session. */
export const openInputOf = (options: AdapterOptions, session: string): OpenSessionRequest => {
  const {
    url: _,
    apiKey: __,
    client: ___,
    timeoutMs: ____,
    failOpen: _____,
    onProblem: ______,
    ...open
  } = options;
  return { ...open, session };
};
