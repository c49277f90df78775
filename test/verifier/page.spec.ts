import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ATTACK_NAMES, attackedProof, honestProof, type ProofCase } from '@app/testing/proofs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, TestBrowser } from '../console/support/browser.js';
import { Random } from '../support/random.js';

const PAGE = fileURLToPath(new URL('../../dist/programs/verify.html', import.meta.url));

/** Guarantee: the verifier is one file that a browser opens from disk, and it says the same as the others. */
describeInBrowser('verifier page', () => {
  let browser: TestBrowser;
  let page: Page;
  beforeAll(async () => {
    browser = await TestBrowser.start();
    page = await browser.open({ width: 900 });
    await page.goto(pathToFileURL(PAGE).href);
  });
  afterAll(() => browser.close());

  const outcomeOf = async ({ file, policy }: ProofCase): Promise<string | null> => {
    await page.evaluate('document.querySelector("#result").removeAttribute("data-outcome")');
    await page.fill('#policy', policy);
    await page.setInputFiles('#file', { name: 'x', mimeType: 'text/plain', buffer: Buffer.from(file) });
    await page.waitForSelector('#result[data-outcome]');
    return page.getAttribute('#result', 'data-outcome');
  };

  it('accepts honest bundles, and finds every attack', async () => {
    for (let seed = 0; seed < 5; seed += 1)
      expect(await outcomeOf(honestProof(new Random(seed)))).toBe('valid');
    for (const name of ATTACK_NAMES) {
      const attacked = attackedProof(name, new Random(7));
      expect([name, attacked.outcomes]).toEqual([name, expect.arrayContaining([await outcomeOf(attacked)])]);
    }
    expect(browser.troubles).toEqual([]);
  });

  it('can load and send nothing', async () => {
    const html = await readFile(PAGE, 'utf8');
    expect(html).toContain("default-src 'none'; script-src 'sha256-");
    expect(html).not.toMatch(/(?:src|href)="/);
  });
});
