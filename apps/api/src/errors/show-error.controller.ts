import { Controller, Header, Param } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { ErrorPages } from './error-pages.js';

const page = z.string().describe('An HTML page');

/** `GET /errors` and `/errors/:code`: the pages that the `type` of a problem refers to. */
@Controller()
export class ShowErrorController {
  readonly #pages = ErrorPages.read();

  @Endpoint('GET', 'errors', {
    id: 'listErrors',
    summary: 'Returns an HTML page with every problem code.',
    roles: 'public',
    content: 'none',
    produces: 'text/html',
    response: page,
  })
  @Header('content-type', 'text/html; charset=utf-8')
  async list(): Promise<string> {
    return (await this.#pages).page();
  }

  @Endpoint('GET', 'errors/:code', {
    id: 'getError',
    summary: 'Returns an HTML page about one problem code and its remedies.',
    roles: 'public',
    content: 'none',
    produces: 'text/html',
    response: page,
    errors: ['route-not-found'],
  })
  @Header('content-type', 'text/html; charset=utf-8')
  async show(@Param('code') code: string): Promise<string> {
    return (await this.#pages).page(code);
  }
}
