import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '@app/kernel';
import { FILES } from './certificate-files.js';

/** Whose certificate the server shows. */
export type TlsOptions =
  /** PEM files: the certificate with what it was signed by, and its key. `caFile` is told to clients. */
  | { readonly certificateFile: string; readonly privateKeyFile: string; readonly caFile?: string }
  /** Made at the first start and kept in the data folder; for these names besides `localhost`. */
  | { readonly generatedFor: readonly string[] };

export type Certificates = {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  /** What clients have to trust, by its path; nothing where they trust it already. */
  readonly caFile?: string;
};

/**
 * Loads what the server needs for TLS, or makes it.
 *
 * @throws {AppError} `invalid-certificate` where a file is missing or not what it should be, `data-folder-unusable`.
 */
export const loadCertificates = async (options: TlsOptions, dataDir: string): Promise<Certificates> => {
  if ('certificateFile' in options) {
    const { certificateFile, privateKeyFile, caFile } = options;
    const ca = caFile === undefined ? {} : { caFile: resolve(caFile) };
    if (caFile !== undefined) certificateIn(caFile, read(caFile));
    return { ...pairOf(certificateFile, privateKeyFile), ...ca };
  }
  const folder = join(resolve(dataDir), 'certificates');
  const certificateFile = join(folder, FILES.certificate);
  if (!existsSync(certificateFile)) {
    // A third of the start of the whole server, and needed once in the life of a folder.
    const { generateCertificates } = await import('./generate-certificates.js');
    await generateCertificates(folder, options.generatedFor);
  }
  return { ...pairOf(certificateFile, join(folder, FILES.privateKey)), caFile: join(folder, FILES.ca) };
};

const pairOf = (certificateFile: string, privateKeyFile: string): Omit<Certificates, 'caFile'> => {
  const certificate = read(certificateFile);
  const privateKey = read(privateKeyFile);
  const parsed = certificateIn(certificateFile, certificate);
  const key = keyIn(privateKeyFile, privateKey);
  if (!parsed.checkPrivateKey(key)) {
    throw invalid(`the key in ${privateKeyFile} does not belong to the certificate in ${certificateFile}`);
  }
  if (new Date(parsed.validTo).getTime() < Date.now()) {
    throw invalid(`the certificate in ${certificateFile} has expired on ${parsed.validTo}`);
  }
  return { certificate, privateKey };
};

const read = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown reason';
    throw invalid(`${file} cannot be read (${code})`, fault);
  }
};

const certificateIn = (file: string, pem: Buffer): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch (fault) {
    throw invalid(`${file} holds no certificate in PEM format`, fault);
  }
};

const keyIn = (file: string, pem: Buffer): ReturnType<typeof createPrivateKey> => {
  try {
    return createPrivateKey(pem);
  } catch (fault) {
    throw invalid(`${file} holds no private key in PEM format that can be used without a password`, fault);
  }
};

const invalid = (message: string, cause?: unknown): AppError =>
  new AppError('invalid-certificate', message, { cause });
