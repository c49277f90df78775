import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import * as x509 from '@peculiar/x509';
import { FILES } from './certificate-files.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 24 * 3_600 * 1_000;
/** Generated certificates are not renewed; operators who need that supply their own. */
const VALID_DAYS = 3_650;
const OWNER_ONLY = 0o600;
const FOR_ALL_TO_READ = 0o644;

/**
 * Generates a CA for this folder, and a certificate for this machine (and `names`) signed by it. Only the owner may
 * read the keys.
 * @throws {AppError} `data-folder-unusable`.
 */
export const generateCertificates = async (folder: string, names: readonly string[]): Promise<void> => {
  const notBefore = new Date(Date.now() - DAY_MS); // For clients whose clock is slow.
  const validity = { notBefore, notAfter: new Date(Date.now() + VALID_DAYS * DAY_MS) };
  const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const [caKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  const caName = 'CN=Palimpsest event store authority';
  const { KeyUsageFlags } = x509;
  const ca = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...validity,
      serialNumber: serialNumber(),
      name: caName,
      keys: caKeys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
      ],
    },
    webcrypto,
  );
  const certificate = await x509.X509CertificateGenerator.create(
    {
      ...validity,
      serialNumber: serialNumber(),
      subject: 'CN=eventstoredb-node',
      issuer: caName,
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(namesOf(['localhost', '127.0.0.1', '::1', ...names])),
        await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
      ],
    },
    webcrypto,
  );
  const pemOf = async ({ privateKey }: CryptoKeyPair): Promise<string> =>
    x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
  await write(folder, [
    [FILES.ca, ca.toString('pem')],
    [FILES.caKey, await pemOf(caKeys)],
    [FILES.privateKey, await pemOf(keys)],
    [FILES.certificate, certificate.toString('pem')],
  ]);
};

type CryptoKeyPair = webcrypto.CryptoKeyPair;

const namesOf = (names: readonly string[]) =>
  [...new Set(names)].map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }) as const);

/** Returns a positive number of 16 bytes, as RFC 5280 requires. */
const serialNumber = (): string => {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
};

const write = async (folder: string, files: readonly (readonly [string, string])[]): Promise<void> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, text] of files) {
      // Written to a draft and renamed: a crash leaves either no file or a complete one.
      const draft = join(folder, `${name}.draft`);
      await writeFile(draft, `${text.trim()}\n`, {
        mode: name.endsWith('.key') ? OWNER_ONLY : FOR_ALL_TO_READ,
      });
      await rename(draft, join(folder, name));
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    throw new AppError('data-folder-unusable', `certificates cannot be written to ${folder} (${code})`, {
      cause,
    });
  }
};
