import { percentDecoded } from './text.js';

/** The prefix of every issued key; a key from the configuration may have another form. */
const KEY_FORM = /(?:^|[^A-Za-z0-9])pal_[A-Za-z0-9]/;
const BASIC = /^basic +([A-Za-z0-9+/_=-]+)$/i;

/**
 * Whether a text holds a key of this service by its form, or `key`, which may have another one; percent-encoded or as basic
 * credentials included.
 */
export const holdsServiceKey = (text: string, key?: string): boolean => {
  const basic = BASIC.exec(text.trim())?.[1];
  const texts = [
    text,
    percentDecoded(text),
    ...(basic === undefined ? [] : [Buffer.from(basic, 'base64').toString('latin1')]),
  ];
  return texts.some((one) => KEY_FORM.test(one) || (key !== undefined && one.includes(key)));
};
