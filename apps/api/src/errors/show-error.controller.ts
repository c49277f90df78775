import { Controller, Header, Param } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { ErrorPages } from './error-pages.js';

const page = z.string().describe('An HTML page');

/** `GET /errors` and `/errors/:code`: where the `type` of a problem leads. */
@Controller()
export class ShowErrorController {
  readonly #pages = ErrorPages.read();

  @Endpoint('GET', 'errors', {
    summary: 'Lists every code that a problem may have.',
    roles: 'public',
    content: 'none',
    response: page,
  })
  @Header('content-type', 'text/html; charset=utf-8')
  async list(): Promise<string> {
    return (await this.#pages).page();
  }

  @Endpoint('GET', 'errors/:code', {
    summary: 'Says what a code means, and what to do.',
    roles: 'public',
    content: 'none',
    response: page,
    errors: ['route-not-found'],
  })
  @Header('content-type', 'text/html; charset=utf-8')
  async show(@Param('code') code: string): Promise<string> {
    return (await this.#pages).page(code);
  }
}
