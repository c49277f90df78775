import { readFile } from 'node:fs/promises';
import { invariant } from '@app/kernel';
import { median } from '../rounds.js';

/** To the probe within the service: measure, and write a snapshot of the heap into a file where one is named; or tell of the loop. */
export type Order = { readonly snapshot?: string; readonly isOfLoop?: boolean };

/** How long the loop was blocked since the last time that this was asked; milliseconds. */
export type LoopDelay = { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };

/** Megabytes that are alive after a full collection. */
export type Live = {
  /** Objects. */
  readonly heap: number;
  /** What they hold outside of the heap: bytes, and the memory of WebAssembly. */
  readonly external: number;
};

/** Megabytes. */
export type Held = {
  /** By the service's own process: everything that is resident, garbage included. */
  readonly service: number;
  /** By the event store and PostgreSQL, without pages of files and what is shared. */
  readonly servers: number;
};

export const megabytes = (bytes: number): number => bytes / 2 ** 20;

/** What a process and those that it has started hold, from the kernel. */
export const heldBy = async (pid: number): Promise<Held> => {
  const service = await kilobytes(pid, 'VmRSS');
  invariant(service > 0, 'a process that runs has memory');
  const servers = await Promise.all((await descendantsOf(pid)).map((child) => kilobytes(child, 'RssAnon')));
  return { service: service / 1_024, servers: servers.reduce((sum, one) => sum + one, 0) / 1_024 };
};

/** 0 for a process that is gone. */
const kilobytes = async (pid: number, name: string): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
};

const descendantsOf = async (pid: number): Promise<readonly number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
};

/** The medians of what is sampled from now on, at each second, until it is asked for. */
export const sampling = (sample: () => Promise<Held>): (() => Held) => {
  const samples: Held[] = [];
  const timer = setInterval(() => void sample().then((held) => samples.push(held)), 1_000);
  return () => {
    clearInterval(timer);
    return {
      service: median(samples.map(({ service }) => service)),
      servers: median(samples.map(({ servers }) => servers)),
    };
  };
};
