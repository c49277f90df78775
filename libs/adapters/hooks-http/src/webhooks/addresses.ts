import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Non-public IPv4 networks: private, loopback, link-local (including cloud metadata services), … */
const SPECIAL_V4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/**
 * Non-public networks within 2000::/3, the public part of IPv6: documentation, and representations of IPv4 addresses.
 */
const SPECIAL_V6: readonly [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const listOf = (networks: readonly [string, number][], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
};
const specialV4 = listOf(SPECIAL_V4, 'ipv4');
const specialV6 = listOf(SPECIAL_V6, 'ipv6');
const internetV6 = listOf([['2000::', 3]], 'ipv6');

/**
 * Where clouds hand out credentials of the machine: Azure's wire server and Oracle's address lie outside of the private
 * blocks. Sources: the metadata documentation of AWS (EC2, ECS, EKS), Azure, Google, Alibaba, Oracle.
 */
const METADATA_V4 = [
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
];
const METADATA_V6 = ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'];
const metadata = new BlockList();
for (const address of METADATA_V4) metadata.addAddress(address, 'ipv4');
for (const address of METADATA_V6) metadata.addAddress(address, 'ipv6');

/** Whether an IP address is a metadata service's, which no setting allows; an IPv4 address within IPv6 too. */
const isMetadataAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return metadata.check(address, 'ipv4');
    case 6:
      return metadata.check(address, 'ipv6');
    default:
      return false;
  }
};

/** Returns whether webhooks may connect to an IP address. */
export type IsAllowed = (address: string) => boolean;

/** The internet's alone, or private ones as well; metadata services never. */
export const allowedAddresses =
  (allowPrivate: boolean): IsAllowed =>
  (address) =>
    !isMetadataAddress(address) && (allowPrivate || isPublicAddress(address));

/** Returns whether an IP address is public. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address, 'ipv4');
    case 6:
      return internetV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
    default:
      return false;
  }
};

/** The address was refused before anything was sent to it. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const resolveByDns: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/** @throws {AddressForbidden} if the URL resolves to a forbidden address; errors of DNS. */
export const requireAllowedUrl = async (
  url: URL,
  isAllowed: IsAllowed,
  resolve: Resolve = resolveByDns,
): Promise<void> => {
  const literal = literalIn(url);
  const addresses = literal === undefined ? await resolve(url.hostname) : [{ address: literal }];
  requireAllowed(addresses, isAllowed);
};

/** Returns an IP address in the URL itself, which needs no lookup. */
export const literalIn = ({ hostname }: URL): string | undefined => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
};

/**
 * Resolves a name for the connection that follows, and checks the result: a name that resolved differently at
 * registration does not bypass the check.
 */
export const allowedLookup =
  (resolve: Resolve, isAllowed: IsAllowed): LookupFunction =>
  (hostname, { all, family }, callback) => {
    resolve(hostname).then(
      (found) => {
        const wanted = found.filter((one) => (family === 4 || family === 6 ? one.family === family : true));
        try {
          requireAllowed(found, isAllowed);
          const [first] = wanted;
          if (!first) throw new Error('the name has no address of that family');
          if (all) callback(null, [...wanted]);
          else callback(null, first.address, first.family);
        } catch (error) {
          callback(error instanceof Error ? error : new Error('lookup failed'), '');
        }
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('lookup failed'), ''),
    );
  };

const requireAllowed = (addresses: readonly { readonly address: string }[], isAllowed: IsAllowed): void => {
  if (addresses.length > 0 && addresses.every(({ address }) => isAllowed(address))) return;
  throw new AddressForbidden('a webhook goes to allowed addresses alone');
};
