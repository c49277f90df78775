import { existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { AppError } from '@app/kernel';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { Certificates } from '../security/tls/certificates.js';
import { type EventStoreOptions, LOOPBACK } from './options.js';

/** The address of a server. */
export type Address =
  | { readonly kind: 'port'; readonly host: string; readonly port: number }
  | { readonly kind: 'socket'; readonly path: string };

/** Interfaces that other machines cannot reach. */
const OWN_HOSTS: readonly string[] = [LOOPBACK, '::1', 'localhost'];
/** Only the owner may connect. */
const SOCKET_UMASK = 0o177;
/** The system silently truncates longer paths. */
const SOCKET_PATH_BYTES_MAX = 100;

/**
 * Returns the address of the options.
 * @throws {AppError} `insecure-host` if other machines could connect without authentication.
 */
export const addressOf = ({
  host = LOOPBACK,
  port = 0,
  unixSocket,
  tls,
  allowInsecureHost = false,
}: EventStoreOptions): Address => {
  if (unixSocket !== undefined) return { kind: 'socket', path: resolve(unixSocket) };
  if (tls || allowInsecureHost || OWN_HOSTS.includes(host)) return { kind: 'port', host, port };
  throw new AppError(
    'insecure-host',
    `without TLS every client that reaches ${host} has full access: use TLS, or listen on ${LOOPBACK}`,
  );
};

/**
 * Starts listening; returns the port, or 0 for a Unix domain socket.
 * @throws {AppError} `port-in-use`, `host-unusable`; `data-folder-unusable` if the socket cannot be created.
 */
export const listen = async (
  server: Server,
  address: Address,
  certificates: Certificates | undefined,
): Promise<number> => {
  const credentials = certificates
    ? ServerCredentials.createSsl(null, [
        { private_key: certificates.privateKey, cert_chain: certificates.certificate },
      ])
    : ServerCredentials.createInsecure();
  if (address.kind === 'socket') {
    await listenOnSocket(server, address.path, credentials);
    return 0;
  }
  const { host, port } = address;
  const target = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return bind(server, target, credentials).catch((fault: unknown) => {
    throw asAppError(fault, address);
  });
};

const listenOnSocket = async (
  server: Server,
  path: string,
  credentials: ServerCredentials,
): Promise<void> => {
  const unusable = (why: string, cause?: unknown): AppError =>
    new AppError('data-folder-unusable', `the socket ${path} cannot be created: ${why}`, { cause });
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) throw unusable('its path is too long');
  if (!existsSync(dirname(path))) throw unusable('its folder does not exist');
  if (await isListening(path)) throw unusable('another process listens on it');
  if (existsSync(path)) rmSync(path); // A leftover of a killed server.
  const umask = process.umask(SOCKET_UMASK);
  try {
    await bind(server, `unix:${path}`, credentials);
  } catch (fault) {
    throw unusable(fault instanceof Error ? fault.message : String(fault), fault);
  } finally {
    process.umask(umask);
  }
};

const isListening = (path: string): Promise<boolean> =>
  new Promise((settle) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      settle(true);
    });
    socket.once('error', () => settle(false));
  });

const bind = (server: Server, target: string, credentials: ServerCredentials): Promise<number> =>
  new Promise((settle, fail) => {
    server.bindAsync(target, credentials, (fault, bound) => (fault ? fail(fault) : settle(bound)));
  });

const asAppError = (cause: unknown, { host, port }: Address & { kind: 'port' }): AppError => {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (
    /EADDRINUSE|address already in use/i.test(text) ||
    (OWN_HOSTS.includes(host) && /No address added/i.test(text))
  )
    return new AppError('port-in-use', `port ${port} is in use: choose another one, or 0 for any free port`, {
      cause,
    });
  const reason = /E[A-Z]{4,}/.exec(text)?.[0] ?? 'unknown host';
  return new AppError('host-unusable', `cannot listen on ${host}, port ${port} (${reason})`, { cause });
};
