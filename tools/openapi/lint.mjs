// Lints OpenAPI documents with Redocly's recommended rules and Spectral's OAS rules: `node lint.mjs FILE…` prints the findings,
// warnings included, as a JSON array.
import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

const config = await createConfig({ extends: ['recommended'] });
const redocly = async (file, source) => {
  const found = await lintFromString({ source, config, absoluteRef: file });
  return found.map(({ ruleId, message, location }) => ({
    linter: 'redocly',
    rule: ruleId,
    at: location[0]?.pointer,
    message,
  }));
};

const linter = new spectralCore.Spectral();
linter.setRuleset(spectralRulesets.oas);
const spectral = async (source) => {
  const found = await linter.run(source);
  return found.map(({ code, message, path }) => ({
    linter: 'spectral',
    rule: code,
    at: path.join('/'),
    message,
  }));
};

const findings = [];
for (const file of process.argv.slice(2)) {
  const source = await readFile(file, 'utf8');
  findings.push(...(await redocly(file, source)), ...(await spectral(source)));
}
process.stdout.write(JSON.stringify(findings));
