import { resolve } from 'node:path';
import type { Endpoint } from '../gossip/gossip.js';
import type { Certificates } from '../security/tls/certificates.js';
import { type EventStoreOptions, LOOPBACK } from './options.js';

/** Wildcard addresses, which clients cannot connect to. */
const EVERY_INTERFACE: readonly string[] = ['0.0.0.0', '::'];

/** Returns the address that the server advertises to clients. */
export const endpointOf = (options: EventStoreOptions, port: number): Endpoint => ({
  host: options.advertiseHost ?? reachable(options),
  port: options.advertisePort ?? port,
});

/** Returns a name with TLS: Node clients warn of addresses in certificates. */
const reachable = ({ host = LOOPBACK, tls }: EventStoreOptions): string => {
  const isHere = host === LOOPBACK || EVERY_INTERFACE.includes(host);
  if (!isHere) return host;
  return tls ? 'localhost' : LOOPBACK;
};

/** Returns the connection string, without credentials. The client accepts no IPv6 address: use a name. */
export const connectionStringOf = (
  options: EventStoreOptions,
  port: number,
  certificates: Certificates | undefined,
): string => {
  if (options.unixSocket !== undefined) return `unix:${resolve(options.unixSocket)}`;
  const { host, port: advertised } = endpointOf(options, port);
  const at = `esdb://${host.includes(':') ? 'localhost' : host}:${advertised}`;
  if (!certificates) return `${at}?tls=false`;
  return certificates.caFile === undefined
    ? `${at}?tls=true`
    : `${at}?tls=true&tlsCAFile=${certificates.caFile}`;
};
