/** File names of generated certificates. The certificate is written last: its presence implies all others. */
export const FILES = {
  ca: 'ca.crt',
  caKey: 'ca.key',
  privateKey: 'node.key',
  certificate: 'node.crt',
} as const;
