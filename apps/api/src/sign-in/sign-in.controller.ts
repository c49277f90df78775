import { IssueApiKey, RevokeApiKey } from '@app/application';
import { OPERATOR_TENANT } from '@app/domain';
import { Actor, AppError, IsoTime } from '@app/kernel';
import type { Access } from '@app/ports';
import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { OneTimeCodes } from '../http/browser/one-time-codes.js';
import { isOwnPage, SessionCookies, SIGN_IN_SECONDS } from '../http/browser/session-cookies.js';
import { BusController } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { ACCESS } from '../symbols.js';
import { keyHolder } from '../tenants/shapes.js';

const body = z
  .strictObject({
    key: z.string().max(200).exactOptional().describe('An API key'),
    code: z.string().max(200).exactOptional().describe('The code of a sign-in link, which is valid once'),
  })
  .refine(({ key, code }) => (key === undefined) !== (code === undefined), 'give either `key` or `code`');

const SYSTEM = { actor: Actor('system') };

/** `/v1/sign-in` and `/v1/sign-out`: a browser's session with the console. */
@Controller()
export class SignInController extends BusController {
  constructor(
    @Inject(SessionCookies) private readonly cookies: SessionCookies,
    @Inject(OneTimeCodes) private readonly codes: OneTimeCodes,
    @Inject(ACCESS) private readonly access: () => Access,
  ) {
    super();
  }

  @Endpoint('POST', 'v1/sign-in', {
    id: 'signIn',
    summary: 'Signs a browser in with an API key or a sign-in link: the answer sets a session cookie.',
    roles: 'public',
    content: 'none',
    body,
    response: keyHolder,
    errors: ['unauthenticated', 'forbidden', 'secrets-key-missing'],
  })
  async signIn(
    @Body(valid(body)) { key: given, code }: z.output<typeof body>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    requireOwnPage(request);
    const session = given === undefined ? await this.sessionFor(code) : { key: given };
    const holder = await this.holderOf(session.key);
    if (!holder) {
      const message =
        'the API key is unknown, expired or revoked: paste another one, or ask an admin for one';
      throw new AppError('unauthenticated', message);
    }
    void reply
      .header('set-cookie', this.cookies.signIn(session, request))
      .header('cache-control', 'no-store');
    return holder;
  }

  @Endpoint('GET', 'v1/sign-in', {
    id: 'getSignIn',
    summary: 'Returns the key holder of a browser’s session; `null` without one.',
    roles: 'public',
    content: 'none',
    response: z.object({ signedIn: keyHolder.nullable() }),
  })
  async signedIn(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    void reply.header('cache-control', 'no-store');
    const session = this.cookies.sessionIn(request);
    return { signedIn: (session && (await this.holderOf(session.key))) ?? null };
  }

  @Endpoint('POST', 'v1/sign-out', {
    id: 'signOut',
    summary:
      'Signs a browser out: the answer removes the session cookie, and a key that a sign-in link has issued is revoked.',
    roles: 'public',
    content: 'none',
    response: z.object({ signedOut: z.literal(true) }),
    errors: ['forbidden'],
  })
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    requireOwnPage(request);
    const issued = this.cookies.sessionIn(request)?.issued;
    if (issued !== undefined)
      await this.commands.execute(
        new RevokeApiKey(OPERATOR_TENANT, { keyId: issued, reason: 'signed out' }, SYSTEM),
      );
    void reply.header('set-cookie', this.cookies.signOut(request));
    return { signedOut: true as const };
  }

  private async holderOf(key: string) {
    const principal = await this.access().authenticate(key);
    if (!principal) return undefined;
    const { tenant, actor, role, permissions } = principal;
    return { tenant, actor, role, permissions };
  }

  /** Issues the key of a sign-in link, which expires with the browser's session. @throws {AppError} `unauthenticated`. */
  private async sessionFor(code = '') {
    if (!this.codes.redeem(code)) {
      const message =
        'the sign-in link has been used or has expired: paste an API key, or restart `palimpsest serve` for a new link';
      throw new AppError('unauthenticated', message);
    }
    const expiresAt = IsoTime(new Date(Date.now() + SIGN_IN_SECONDS * 1_000));
    const input = { role: 'admin', label: 'console sign-in link', expiresAt } as const;
    const { key, keyId } = await this.commands.execute(new IssueApiKey(OPERATOR_TENANT, input, SYSTEM));
    return { key, issued: keyId };
  }
}

/** Programs have no origin and may sign in, too. @throws {AppError} `forbidden` for another page. */
const requireOwnPage = (request: FastifyRequest): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if ((origin === undefined && site === undefined) || isOwnPage(request)) return;
  throw new AppError('forbidden', 'pages of other origins may not sign in or out: open /console');
};
