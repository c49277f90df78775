/** Saves a text, or its parts, as a file of the reader. */
export const saveAs = (name: string, text: string | readonly string[], type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text].flat(), { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
