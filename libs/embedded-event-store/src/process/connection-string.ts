import { resolve } from 'node:path';
import type { Endpoint } from '../gossip/gossip.js';
import type { Certificates } from '../security/tls/certificates.js';
import { type EventStoreOptions, LOOPBACK } from './options.js';

/** Hosts that mean every interface: nobody can connect to them under that name. */
const EVERY_INTERFACE: readonly string[] = ['0.0.0.0', '::'];

/** What clients are told that ask the server where it is. */
export const endpointOf = (options: EventStoreOptions, port: number): Endpoint => ({
  host: options.advertiseHost ?? reachable(options),
  port: options.advertisePort ?? port,
});

/** With TLS a name: clients on Node are warned of addresses, which TLS has no place for. */
const reachable = ({ host = LOOPBACK, tls }: EventStoreOptions): string => {
  const isHere = host === LOOPBACK || EVERY_INTERFACE.includes(host);
  if (!isHere) return host;
  return tls ? 'localhost' : LOOPBACK;
};

/** How the client connects, but for user and password. It knows no host with colons: those are given by name. */
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
