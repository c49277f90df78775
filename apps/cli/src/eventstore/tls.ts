import type { TlsOptions } from '@app/embedded-event-store';
import { AppError } from '@app/kernel';

export type TlsFlags = {
  readonly tls: boolean;
  readonly host?: string;
  readonly advertiseHost?: string;
  readonly certificateFile?: string;
  readonly certificatePrivateKeyFile?: string;
  readonly tlsCaFile?: string;
};

/**
 * @throws {AppError} `invalid-configuration` if a certificate comes without its key or a key without its certificate.
 */
export const tlsFrom = (flags: TlsFlags): TlsOptions | undefined => {
  const { certificateFile, certificatePrivateKeyFile: privateKeyFile, tlsCaFile: caFile } = flags;
  if (certificateFile !== undefined && privateKeyFile !== undefined)
    return { certificateFile, privateKeyFile, ...(caFile !== undefined && { caFile }) };
  if (certificateFile !== undefined || privateKeyFile !== undefined || caFile !== undefined)
    throw new AppError(
      'invalid-configuration',
      'a certificate needs its key: give --certificate-file and --certificate-private-key-file together',
    );
  if (!flags.tls) return undefined;
  // The certificate must name every host that clients connect to.
  const hosts = [flags.host, flags.advertiseHost].filter((host) => host !== undefined);
  return { generatedFor: hosts.filter((host) => host !== '0.0.0.0' && host !== '::') };
};
