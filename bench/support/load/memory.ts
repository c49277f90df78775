import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { invariant } from '@app/kernel';
import { median } from '../rounds.js';

/** A command to the probe: measure memory, with an optional heap snapshot file; or report event loop delays. */
export type Order = { readonly snapshot?: string; readonly isOfLoop?: boolean };

/** Live megabytes after a full garbage collection. */
export type Live = {
  /** Objects on the heap. */
  readonly heap: number;
  /** Memory outside of the heap: buffers and WebAssembly. */
  readonly external: number;
};

/** Megabytes. */
export type Held = {
  /** Resident memory of the service's process, including garbage. */
  readonly service: number;
  /** Private memory of the event store and PostgreSQL. */
  readonly servers: number;
};

export const megabytes = (bytes: number): number => bytes / 2 ** 20;

/** Returns the memory of a process and its children, from the kernel. */
export const heldBy = async (pid: number): Promise<Held> => {
  const service = await kilobytes(pid, 'VmRSS');
  invariant(service > 0, 'a running process has memory');
  const servers = await Promise.all((await descendantsOf(pid)).map((child) => kilobytes(child, 'RssAnon')));
  return { service: service / 1_024, servers: servers.reduce((sum, one) => sum + one, 0) / 1_024 };
};

/**
 * Returns the resident memory of a process and its children by program, in megabytes. A page that several processes share counts
 * in each by its share (`Pss` of proc(5)). Mapped pages of a file in `folder` are the kernel's cache of it, which counts for the
 * server that reads it until other programs need the memory: they are left out.
 */
export const heldByProgram = async (pid: number, folder: string): Promise<ReadonlyMap<string, number>> => {
  const held = new Map<string, number>();
  for (const one of [pid, ...(await descendantsOf(pid))]) {
    const name = await programOf(one);
    held.set(name, (held.get(name) ?? 0) + (await kilobytesOutside(folder, one)) / 1_024);
  }
  return held;
};

/** Returns 0 for a process that has exited. */
const kilobytesOutside = async (folder: string, pid: number): Promise<number> => {
  const mappings = (await readFile(`/proc/${pid}/smaps`, 'utf8').catch(() => '')).split(
    /^(?=[\da-f]+-[\da-f]+ )/m,
  );
  return mappings
    .filter((mapping) => !mapping.slice(0, mapping.indexOf('\n')).includes(` ${folder}/`))
    .reduce((sum, mapping) => sum + Number(/^Pss:\s+(\d+) kB/m.exec(mapping)?.[1] ?? 0), 0);
};

/** Returns the name of a process's script without its extension, or of its executable. */
const programOf = async (pid: number): Promise<string> => {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  // Servers of PostgreSQL are named `postgres: …`.
  return basename(words.findLast((word) => word.endsWith('.js')) ?? words[0]?.split(':')[0] ?? '', '.js');
};

/** Returns 0 for a process that has exited. */
const kilobytes = async (pid: number, name: string): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
};

const descendantsOf = async (pid: number): Promise<readonly number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
};

/** Samples once per second until the returned function is called, which returns the samples. */
export const sampling = <Sample>(sample: () => Promise<Sample>): (() => readonly Sample[]) => {
  const samples: Sample[] = [];
  const timer = setInterval(() => void sample().then((one) => samples.push(one)), 1_000);
  return () => {
    clearInterval(timer);
    return samples;
  };
};

export const medianOf = (samples: readonly Held[]): Held => ({
  service: median(samples.map(({ service }) => service)),
  servers: median(samples.map(({ servers }) => servers)),
});
