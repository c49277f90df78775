/** Characters of the longest URL of a webhook. */
export const WEBHOOK_URL_MAX = 2_048;
export const WEBHOOK_URL_RULE = 'http://HOST/PATH or https://HOST/PATH, without a user in it';

/** Returns whether a text is the URL of a webhook: of HTTP or HTTPS, without credentials. Its length is checked apart. */
export const isWebhookUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
};
