import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '@app/kernel';
import { FILES } from './certificate-files.js';

/** The server's certificate. */
export type TlsOptions =
  /** PEM files: the certificate chain and its key. `caFile` is for clients. */
  | { readonly certificateFile: string; readonly privateKeyFile: string; readonly caFile?: string }
  /** Generated at the first start and kept in the data folder; valid for these names and `localhost`. */
  | { readonly generatedFor: readonly string[] };

export type Certificates = {
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
  /** Path of the CA certificate that clients must trust; `undefined` if they trust it already. */
  readonly caFile?: string;
};

/**
 * Loads or generates the certificates of the server.
 * @throws {AppError} `invalid-certificate` if a file is missing or invalid, `data-folder-unusable`.
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
    // Loaded on demand: it takes a third of the server's start, and runs once per folder.
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
    throw invalid(`${file} is not readable (${code})`, fault);
  }
};

const certificateIn = (file: string, pem: Buffer): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch (fault) {
    throw invalid(`${file} contains no certificate in PEM format`, fault);
  }
};

const keyIn = (file: string, pem: Buffer): ReturnType<typeof createPrivateKey> => {
  try {
    return createPrivateKey(pem);
  } catch (fault) {
    throw invalid(`${file} contains no unencrypted private key in PEM format`, fault);
  }
};

const invalid = (message: string, cause?: unknown): AppError =>
  new AppError('invalid-certificate', message, { cause });
