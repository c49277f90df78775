import { compose, manifestOf, type OpenSession, type WireFormat } from '@app/domain';
import { isSystemForm, type SystemForm, sessionBody, wireOf } from '@app/formats';
import type { RepeatedRequest } from '@app/ports';
import { SYSTEM_LABEL, WIRE_LABEL } from '../../requests/labels.js';
import { originOf } from '../../requests/origin.js';

/**
 * Returns the session's own request in the form that its provider has cached. Gateway clients of OpenAI send their own form,
 * and only that one is cached.
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
