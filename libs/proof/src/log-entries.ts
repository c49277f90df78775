/** Entries of the log that are no events. */
const LOG = 'palimpsest/log/v1\n';
const KEY = 'palimpsest/key/v1\n';
const POLICY = 'palimpsest/policy/v1\n';

/** Entries about the log itself: its beginning with policy and key, a new key, a new policy. */
type LogEntry =
  /** The first entry. The policy (tlog-policy) names the log's own key. */
  | { readonly kind: 'log'; readonly policy: string }
  | { readonly kind: 'key'; readonly verifierKeys: readonly string[] }
  | { readonly kind: 'policy'; readonly policy: string };

export const formatLogEntry = (entry: LogEntry): string => {
  switch (entry.kind) {
    case 'log':
      return `${LOG}${entry.policy}`;
    case 'key':
      return `${KEY}${entry.verifierKeys.map((key) => `${key}\n`).join('')}`;
    case 'policy':
      return `${POLICY}${entry.policy}`;
  }
};

/** Returns `undefined` for a text of another form, such as the leaf of an event. */
export const parseLogEntry = (text: string): LogEntry | undefined => {
  if (text.startsWith(LOG)) return { kind: 'log', policy: text.slice(LOG.length) };
  if (text.startsWith(POLICY)) return { kind: 'policy', policy: text.slice(POLICY.length) };
  if (!text.startsWith(KEY) || !text.endsWith('\n')) return undefined;
  return { kind: 'key', verifierKeys: text.slice(KEY.length, -1).split('\n') };
};
