import { compose, manifestOf, type OpenSession, type WireFormat } from '@app/domain';
import { isSystemForm, type SystemForm, sessionBody, wireOf } from '@app/formats';
import type { RepeatedRequest } from '@app/ports';
import { SYSTEM_LABEL, WIRE_LABEL } from '../../requests/labels.js';
import { originOf } from '../../requests/origin.js';

/**
 * The session's own request as its provider has seen it. What a client of OpenAI's has sent through the gateway, it has sent
 * in a form of its own: only that is in the cache.
 */
export const repeatedRequest = (session: OpenSession, format: WireFormat): RepeatedRequest => {
  const manifest = manifestOf(session);
  if (session.opened.labels[WIRE_LABEL] !== format || format === 'anthropic')
    return compose(manifest, format).request;
  return sessionBody(wireOf(format), manifest, originOf(session), systemFormIn(session));
};

const systemFormIn = ({ opened: { labels } }: OpenSession): SystemForm | undefined => {
  const form = labels[SYSTEM_LABEL];
  return isSystemForm(form) ? form : undefined;
};
