/** The files of generated certificates, by name. The certificate is written last: where it is, all of them are. */
export const FILES = {
  ca: 'ca.crt',
  caKey: 'ca.key',
  privateKey: 'node.key',
  certificate: 'node.crt',
} as const;
