// Keeps compiled code for the next specs of a worker. Jest compiles each module again for each spec, which took a tenth of the
// processor time of specs without servers.
import vm from 'node:vm';

const { SourceTextModule, compileFunction } = vm;

/** Source and compiled code by file: V8 itself compares only the length of the source. */
const kept = new Map();
const keep = (file, source, code) => kept.set(file, { source, code });
const codeOf = (file, source) => {
  const found = kept.get(file);
  return found?.source === source ? found.code : undefined;
};

/** V8 accepts no code from before a change of its flags, which some specs make. */
const isRejected = ({ code }) => code === 'ERR_VM_MODULE_CACHED_DATA_REJECTED';

const moduleOf = (source, options) => {
  const { identifier: file } = options;
  const cachedData = codeOf(file, source);
  try {
    if (cachedData !== undefined) return new SourceTextModule(source, { ...options, cachedData });
  } catch (error) {
    if (!isRejected(error)) throw error;
  }
  const compiled = new SourceTextModule(source, options);
  keep(file, source, compiled.createCachedData());
  return compiled;
};

const functionOf = (source, parameters, options) => {
  const { filename: file } = options;
  const cachedData = codeOf(file, source);
  const compiled = compileFunction(source, parameters, {
    ...options,
    ...(cachedData === undefined ? { produceCachedData: true } : { cachedData }),
  });
  if (cachedData === undefined) keep(file, source, compiled.cachedData);
  else if (compiled.cachedDataRejected) kept.delete(file);
  return compiled;
};

/** Makes jest, which uses these two, load the files of a spec from kept code. */
export const keepCompiledCode = () => {
  vm.SourceTextModule = new Proxy(SourceTextModule, {
    construct: (_, [source, options]) => moduleOf(source, options),
  });
  vm.compileFunction = functionOf;
};
