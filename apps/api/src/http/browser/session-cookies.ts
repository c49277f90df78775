import { KeyId } from '@app/kernel';
import type { SecretBox } from '@app/ports';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SECRET_BOX } from '../../symbols.js';

/** Beginning of the cookie's name: browsers send cookies to all ports of a host, and each service has its own. */
const COOKIE = 'palimpsest_session';
/** Seconds until a browser has to sign in again. */
export const SIGN_IN_SECONDS = 12 * 3_600;
/** Location that the sealed value is bound to. */
const PLACE = 'browser-session';

/** A browser's session: the API key, and the key's ID if it was issued for this session alone. */
type BrowserSession = { readonly key: string; readonly issued?: KeyId };

/**
 * Signs browsers in: the cookie holds an API key, sealed with the key of the installation, so that every process opens it and
 * none stores it. `HttpOnly` keeps it from scripts, `SameSite=Strict` from other sites, {@link isOwnPage} from other origins
 * of the same site. Behind TLS it is `Secure`, and its prefix `__Host-` keeps other hosts of the domain from setting it.
 */
@Injectable()
export class SessionCookies {
  constructor(@Inject(SECRET_BOX) private readonly box: SecretBox) {}

  /** Returns the `Set-Cookie` header for a session. @throws {AppError} `secrets-key-missing`. */
  signIn(session: BrowserSession, request: FastifyRequest): string {
    const until = Date.now() + SIGN_IN_SECONDS * 1_000;
    const sealed = this.box.seal(JSON.stringify({ ...session, until }), PLACE);
    const value = Buffer.from(sealed).toString('base64url');
    return cookie(value, SIGN_IN_SECONDS, request);
  }

  /** Returns the `Set-Cookie` header that removes the cookie. */
  signOut(request: FastifyRequest): string {
    return cookie('', 0, request);
  }

  /** Returns the session of a request from a signed-in page of this service; `undefined` without one. */
  sessionIn(request: FastifyRequest): BrowserSession | undefined {
    const value = valueIn(request);
    return value !== undefined && isOwnPage(request) ? this.opened(value) : undefined;
  }

  private opened(value: string): BrowserSession | undefined {
    try {
      const { until, ...session } = kept.parse(
        JSON.parse(this.box.open(Buffer.from(value, 'base64url').toString(), PLACE)),
      );
      return Date.now() < until ? session : undefined;
    } catch {
      return undefined; // Sealed by another installation, or changed.
    }
  }
}

const kept = z.object({
  key: z.string(),
  until: z.number(),
  issued: z
    .string()
    .transform((id) => KeyId(id))
    .exactOptional(),
});

const cookie = (value: string, maxAge: number, request: FastifyRequest): string => {
  const flags = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${isSecure(request) ? '; Secure' : ''}`;
  return `${nameFor(request)}=${value}; ${flags}`;
};

const nameFor = (request: FastifyRequest): string => {
  const port = /:(\d+)$/.exec(request.headers.host ?? '')?.[1];
  return `${isSecure(request) ? '__Host-' : ''}${COOKIE}${port === undefined ? '' : `_${port}`}`;
};

/** Whether the browser speaks TLS with this service or with the first proxy before it. */
const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' ||
  String(headers['x-forwarded-proto'] ?? '')
    .split(',')[0]
    ?.trim() === 'https';

const valueIn = (request: FastifyRequest): string | undefined => {
  const wanted = nameFor(request);
  for (const one of request.headers.cookie?.split(';') ?? []) {
    const [name, value] = one.trim().split('=');
    if (name === wanted && value) return value;
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
