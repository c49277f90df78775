import type { SecretBox } from '@app/ports';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SECRET_BOX } from '../../symbols.js';

/** Name of the cookie. */
const COOKIE = 'palimpsest_session';
/** Seconds until a browser has to sign in again. */
export const SIGN_IN_SECONDS = 12 * 3_600;
/** Location that the sealed value is bound to. */
const PLACE = 'browser-session';

/**
 * Signs browsers in: the cookie holds an API key, sealed with the key of the installation, so that every process opens it and
 * none stores it. `HttpOnly` keeps it from scripts, `SameSite=Strict` from other sites, {@link isOwnPage} from other origins
 * of the same site.
 */
@Injectable()
export class SessionCookies {
  constructor(@Inject(SECRET_BOX) private readonly box: SecretBox) {}

  /** Returns the `Set-Cookie` header for a key. @throws {AppError} `secrets-key-missing`. */
  signIn(key: string, request: FastifyRequest): string {
    const until = Date.now() + SIGN_IN_SECONDS * 1_000;
    const sealed = this.box.seal(JSON.stringify({ key, until }), PLACE);
    const value = Buffer.from(sealed).toString('base64url');
    return cookie(value, SIGN_IN_SECONDS, request);
  }

  /** Returns the `Set-Cookie` header that removes the cookie. */
  signOut(request: FastifyRequest): string {
    return cookie('', 0, request);
  }

  /** Returns the API key of a request from a signed-in page of this service; `undefined` without one. */
  keyIn(request: FastifyRequest): string | undefined {
    const value = valueIn(request.headers.cookie);
    return value !== undefined && isOwnPage(request) ? this.opened(value) : undefined;
  }

  private opened(value: string): string | undefined {
    try {
      const { key, until } = JSON.parse(this.box.open(Buffer.from(value, 'base64url').toString(), PLACE));
      return typeof key === 'string' && typeof until === 'number' && Date.now() < until ? key : undefined;
    } catch {
      return undefined; // Sealed by another installation, or changed.
    }
  }
}

const cookie = (value: string, maxAge: number, { protocol, headers }: FastifyRequest): string => {
  const isSecure = protocol === 'https' || headers['x-forwarded-proto'] === 'https';
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${isSecure ? '; Secure' : ''}`;
};

const valueIn = (header: string | undefined): string | undefined => {
  for (const one of header?.split(';') ?? []) {
    const [name, value] = one.trim().split('=');
    if (name === COOKIE && value) return value;
  }
  return undefined;
};

/**
 * Whether a request comes from a page of this very origin, so that no other page can use a browser's cookie. Browsers send
 * `Sec-Fetch-Site` to trustworthy origins, and otherwise `Origin` with every write.
 */
export const isOwnPage = ({ method, headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && method === 'GET');
  const { origin, host } = headers;
  if (origin === undefined) return method === 'GET';
  return URL.canParse(origin) && new URL(origin).host === host;
};
