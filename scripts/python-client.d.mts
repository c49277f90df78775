/** Returns the generated files of the Python client by their name in the package. @param codes the error codes of the product. */
export const pythonFiles: (document: object, codes: readonly string[]) => Readonly<Record<string, string>>;
